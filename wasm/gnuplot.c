/* gnuplot.c -- the tool in a web page: what it would start as gnuplot is a function of the page, Module.gnuplot(script), which returns
 * SVG (cmake/handbook/gnuplot.js). Other programs cannot be started. The linker puts these functions, by --wrap, in the place of emscripten's,
 * which only fail.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <emscripten.h>
#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>

int __wrap_posix_spawn(pid_t *process, const char *program, const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]);
int __wrap_waitid(idtype_t type, id_t process, siginfo_t *info, int options);
pid_t __wrap_waitpid(pid_t process, int *status, int options);

/* The only process that there is: it has ended when it has started. */
enum { PROCESS = 2 };
static int failed;

/* @param[in] assignment  output='FILE'. @return the exit status */
EM_JS(int, draw, (const char *assignment, const char *script), {
  const quote = String.fromCharCode(39); // doubled within the name
  const file = UTF8ToString(assignment).slice(8, -1).split(quote + quote).join(quote);
  try {
    FS.writeFile(file, Module["gnuplot"](FS.readFile(UTF8ToString(script), {encoding : "utf8"})));
    return 0;
  } catch (error) {
    err(error.message);
    return 1;
  }
})

int __wrap_posix_spawn(pid_t *process, const char *program, const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[])
{
  (void)actions, (void)attributes, (void)environment;
  const char *name = strrchr(program, '/');
  if (name == NULL || strcmp(name, "/gnuplot") != 0 || arguments[1] == NULL || arguments[2] == NULL) {
    return ENOSYS; /* neither other programs nor a gnuplot that waits for commands */
  }
  failed = draw(arguments[3], arguments[4]);
  *process = PROCESS;
  return 0;
}

int __wrap_waitid(idtype_t type, id_t process, siginfo_t *info, int options)
{
  (void)type, (void)options;
  info->si_pid = (pid_t)process;
  return 0;
}

pid_t __wrap_waitpid(pid_t process, int *status, int options)
{
  (void)options;
  *status = failed << 8; /* as WEXITSTATUS reads it */
  return process;
}
