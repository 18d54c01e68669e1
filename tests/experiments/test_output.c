/* test_output.c -- files are whole or not there: nobody ever sees a half-written one.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/campaign/output_files.h"
#include "scratch.h"
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int enter_folder(void **state)
{
  (void)state;
  return chdir(dls_test_folder(NULL));
}

static size_t count_entries(const char *folder)
{
  size_t count = 0;
  DIR *dir = opendir(folder);
  assert_non_null(dir);
  for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
    count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
  }
  closedir(dir);
  return count;
}

static int leave_folder(void **state)
{
  (void)state;
  return chdir("/");
}

static void assert_content(const char *path, const char *expected)
{
  char text[100] = "";
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  const size_t size = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[size] = '\0';
  assert_string_equal(text, expected);
}

static void write_file(const char *path, const char *text)
{
  dls_error err = {0};
  dls_output *out = NULL;
  assert_ok(dls_output_open(path, &out, &err), err);
  fputs(text, dls_output_stream(out));
  assert_ok(dls_output_commit(out, &err), err);
}

DLS_TEST(the_target_changes_only_at_commit)
{
  dls_error err = {0};
  dls_output *out = NULL;
  write_file("file", "old");
  assert_content("file", "old");
  assert_ok(dls_output_open("file", &out, &err), err);
  fputs("new", dls_output_stream(out));
  fflush(dls_output_stream(out));
  assert_content("file", "old");
  assert_ok(dls_output_commit(out, &err), err);
  assert_content("file", "new");
  assert_int_equal(count_entries("."), 1);
}

DLS_TEST(an_abandoned_file_leaves_nothing)
{
  dls_error err = {0};
  dls_output *out = NULL;
  assert_ok(dls_output_open("file", &out, &err), err);
  fputs("half", dls_output_stream(out));
  fflush(dls_output_stream(out));
  dls_output_abandon(out);
  dls_output_abandon(NULL);
  assert_int_equal(count_entries("."), 0);
}

DLS_TEST(two_writers_of_one_file_do_not_mix)
{
  dls_error err = {0};
  dls_output *a = NULL;
  dls_output *b = NULL;
  assert_ok(dls_output_open("file", &a, &err), err);
  assert_ok(dls_output_open("file", &b, &err), err);
  fputs("first", dls_output_stream(a));
  fputs("second", dls_output_stream(b));
  assert_ok(dls_output_commit(b, &err), err);
  assert_content("file", "second");
  assert_ok(dls_output_commit(a, &err), err);
  assert_content("file", "first");
}

DLS_TEST(permissions_of_an_old_file_stay)
{
  struct stat info;
  write_file("file", "old");
  assert_int_equal(chmod("file", 0640), 0);
  write_file("file", "new");
  assert_int_equal(stat("file", &info), 0);
  assert_int_equal(info.st_mode & 07777, 0640);
}

DLS_TEST(a_new_file_obeys_the_umask)
{
  struct stat info;
  const mode_t mask = umask(027);
  write_file("file", "text");
  umask(mask);
  assert_int_equal(stat("file", &info), 0);
  assert_int_equal(info.st_mode & 07777, 0640);
}

DLS_TEST(a_link_keeps_pointing)
{
  struct stat info;
  assert_int_equal(mkdir("there", 0777), 0);
  write_file("there/file", "old");
  assert_int_equal(symlink("there/file", "link"), 0);
  write_file("link", "new");
  assert_content("there/file", "new");
  assert_int_equal(lstat("link", &info), 0);
  assert_true(S_ISLNK(info.st_mode));
  assert_int_equal(count_entries("there"), 1);
}

DLS_TEST(what_cannot_be_written_is_refused_by_name)
{
  static const struct {
    const char *path, *reason;
  } cases[] = {{"", "the name is empty"},
               {".", "it is a folder"},
               {"new/", "it is a folder"},
               {"nowhere/file", "No such file or directory"},
               {"file/file", "Not a directory"}};
  write_file("file", "text");
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    dls_error err = {0};
    dls_output *out = NULL;
    char expected[100];
    snprintf(expected, sizeof expected, "cannot write '%s': %s", cases[i].path, cases[i].reason);
    assert_int_equal(dls_output_open(cases[i].path, &out, &err), DLS_ERR_IO);
    assert_null(out);
    assert_string_equal(err.text, expected);
    assert_int_equal(dls_output_check(cases[i].path, &err), DLS_ERR_IO);
    assert_string_equal(err.text, expected);
  }
  assert_int_equal(count_entries("."), 1);
}

DLS_TEST(a_look_ahead_leaves_no_trace)
{
  dls_error err = {0};
  assert_ok(dls_output_check("file", &err), err);
  assert_int_equal(count_entries("."), 0);
  write_file("file", "text");
  assert_ok(dls_output_check("file", &err), err);
  assert_content("file", "text");
  assert_int_equal(count_entries("."), 1);
}

/* A limit on the size of files stands for a full disk: both make a write fall short. */
DLS_TEST(a_full_disk_is_reported_and_the_old_file_stays)
{
  dls_error err = {0};
  dls_output *out = NULL;
  struct rlimit limit;
  write_file("file", "old");
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
  const struct rlimit small = {.rlim_cur = 1000, .rlim_max = limit.rlim_max};
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  assert_ok(dls_output_open("file", &out, &err), err);
  for (int i = 0; i < 1000; i++) {
    fputs("more than the limit", dls_output_stream(out));
  }
  const dls_status status = dls_output_commit(out, &err);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
  assert_int_equal(status, DLS_ERR_IO);
  assert_non_null(strstr(err.text, "/file': "));
  assert_content("file", "old");
  assert_int_equal(count_entries("."), 1);
}

DLS_TEST(a_pipe_is_written_and_stays_a_pipe)
{
  dls_error err = {0};
  struct stat info;
  char text[20] = "";
  assert_int_equal(mkfifo("pipe", 0666), 0);
  const int reader = open("pipe", O_RDONLY | O_NONBLOCK);
  assert_true(reader >= 0);
  assert_ok(dls_output_check("pipe", &err), err);
  write_file("pipe", "through");
  assert_int_equal(read(reader, text, sizeof text - 1), strlen("through"));
  close(reader);
  assert_string_equal(text, "through");
  assert_int_equal(stat("pipe", &info), 0);
  assert_true(S_ISFIFO(info.st_mode));
}

DLS_TEST(a_target_that_becomes_a_folder_is_reported_at_commit)
{
  dls_error err = {0};
  dls_output *out = NULL;
  assert_ok(dls_output_open("file", &out, &err), err);
  assert_int_equal(mkdir("file", 0777), 0);
  assert_int_equal(dls_output_commit(out, &err), DLS_ERR_IO);
  assert_non_null(strstr(err.text, "cannot write 'file': "));
  assert_int_equal(count_entries("."), 1);
}

DLS_TEST(folders_come_with_their_parents)
{
  dls_error err = {0};
  struct stat info;
  assert_ok(dls_output_folder("a/b//c/", &err), err);
  assert_ok(dls_output_folder("a/b/c", &err), err);
  assert_int_equal(stat("a/b/c", &info), 0);
  assert_true(S_ISDIR(info.st_mode));
  write_file("file", "text");
  assert_int_equal(dls_output_folder("file/b/c", &err), DLS_ERR_IO);
  assert_string_equal(err.text, "cannot create folder 'file/b/c': 'file': it is not a folder");
  assert_int_equal(dls_output_folder("", &err), DLS_ERR_IO);
}

/* Root may read everything; the test then runs as nobody. @return the effective user before */
static uid_t drop_privileges(void)
{
  const uid_t user = geteuid();
  if (user == 0) {
    assert_int_equal(seteuid(65534), 0);
  }
  return user;
}

DLS_TEST(a_folder_that_cannot_be_checked_is_refused_by_name)
{
  dls_error err = {0};
  struct rlimit limit;
  assert_ok(dls_output_folder("a", &err), err);
  write_file("a/file", "text");
  assert_int_equal(chmod(".", 0755), 0);
  assert_int_equal(chmod("a", 0644), 0); /* names can be read, entries cannot */
  const uid_t user = drop_privileges();
  const dls_status entry = dls_output_check_folder("a", &err);
  assert_int_equal(seteuid(user), 0);
  assert_int_equal(entry, DLS_ERR_IO);
  assert_true(strcmp(err.text, "cannot check 'a/file': Permission denied") == 0 ||
              strcmp(err.text, "cannot check 'a/.': Permission denied") == 0 ||
              strcmp(err.text, "cannot check 'a/..': Permission denied") == 0);
  assert_int_equal(chmod("a", 0777), 0);
  assert_ok(dls_output_folder("a", &err), err);
  assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
  const struct rlimit none = {.rlim_cur = 0, .rlim_max = limit.rlim_max};
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
  const dls_status folder = dls_output_folder("a", &err);
  assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
  assert_int_equal(folder, DLS_ERR_IO);
  assert_string_equal(err.text, "cannot check 'a': Too many open files");
  assert_int_equal(dls_output_check_folder("nowhere", &err), DLS_ERR_IO);
  assert_string_equal(err.text, "cannot check 'nowhere': No such file or directory");
}

#define FOLDER_TEST(f) cmocka_unit_test_setup_teardown(f, enter_folder, leave_folder)

int main(void)
{
  const struct CMUnitTest tests[] = {
      FOLDER_TEST(the_target_changes_only_at_commit),
      FOLDER_TEST(an_abandoned_file_leaves_nothing),
      FOLDER_TEST(two_writers_of_one_file_do_not_mix),
      FOLDER_TEST(permissions_of_an_old_file_stay),
      FOLDER_TEST(a_new_file_obeys_the_umask),
      FOLDER_TEST(a_link_keeps_pointing),
      FOLDER_TEST(what_cannot_be_written_is_refused_by_name),
      FOLDER_TEST(a_look_ahead_leaves_no_trace),
      FOLDER_TEST(a_full_disk_is_reported_and_the_old_file_stays),
      FOLDER_TEST(a_pipe_is_written_and_stays_a_pipe),
      FOLDER_TEST(a_target_that_becomes_a_folder_is_reported_at_commit),
      FOLDER_TEST(folders_come_with_their_parents),
      FOLDER_TEST(a_folder_that_cannot_be_checked_is_refused_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
