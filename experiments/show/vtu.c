/* vtu.c -- VTK XML files of a mesh. Source: The VTK User's Guide, "VTK file formats", XML, UnstructuredGrid.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/mesh_motion.h"
#include "experiments/show/report_svg.h"
#include <delassus/output.h>
#include <delassus/vtu.h>
#include <stdint.h>
#include <string.h>

enum { MOST_NAME = 4096 };
enum { VTK_LINE = 3, VTK_QUAD = 9 };

bool dls_vtu_named(const char *path)
{
  const size_t length = strlen(path);
  return length > 4 && strcmp(path + length - 4, ".vtu") == 0;
}

/* FILE_00012.vtu, or FILE.pvd for SIZE_MAX; the name alone without its folder if bare. @return false if it is too long */
static bool file_name(const char *path, size_t number, bool bare, char *name)
{
  const char *slash = strrchr(path, '/'), *from = bare && slash != NULL ? slash + 1 : path;
  const int length = (int)strlen(from) - 4;
  const int written = number == SIZE_MAX ? snprintf(name, MOST_NAME, "%.*s.pvd", length, from)
                                         : snprintf(name, MOST_NAME, "%.*s_%05zu.vtu", length, from, number);
  return written < MOST_NAME;
}

dls_status dls_vtu_check(const dls_model *model, double rows, const char *path, const dls_model *const *known,
                         dls_error *err)
{
  char name[MOST_NAME];
  dls_status status = dls_mesh_motion_check("vtu", model, known, err);
  if (status != DLS_OK) {
    return status;
  }
  if (rows > DLS_VTU_MOST) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "vtu: %.6g rows need as many files, at most %d are written: record fewer (--every N, --at T1,...)",
        rows, (int)DLS_VTU_MOST);
  }
  if (!file_name(path, 0, false, name)) {
    return dls_fail(err, DLS_ERR_ARG, "vtu: the name is longer than %d characters", (int)MOST_NAME);
  }
  status = dls_output_check(name, err);
  file_name(path, SIZE_MAX, false, name);
  return status != DLS_OK ? status : dls_output_check(name, err);
}

/* m->points, a vector in the plane at every point, as VTK wants three numbers. */
static void write_vectors(const dls_mesh_motion *m, const char *name, FILE *out)
{
  fprintf(out, "<DataArray type=\"Float64\" Name=\"%s\" NumberOfComponents=\"3\" format=\"ascii\">\n", name);
  for (size_t i = 0; i < m->mesh.points; i++) {
    fprintf(out, "%.17g %.17g 0\n", m->points[2 * i], m->points[2 * i + 1]);
  }
  fputs("</DataArray>\n", out);
}

static void write_point_data(dls_mesh_motion *m, size_t row, FILE *out)
{
  const double *x = dls_mesh_motion_row(m, row);
  fputs("<PointData>\n", out);
  dls_mesh_places(&m->mesh, x + m->q, m->points);
  for (size_t i = 0; i < 2 * m->mesh.points; i++) {
    m->points[i] -= m->mesh.rest[i];
  }
  write_vectors(m, "displacement", out);
  dls_mesh_vectors(&m->mesh, x + m->v, m->points);
  write_vectors(m, "velocity", out);
  dls_mesh_motion_push(m, row, m->lambda);
  write_vectors(m, "force", out);
  dls_mesh_motion_push(m, row, m->p);
  write_vectors(m, "impulse", out);
  fputs("</PointData>\n", out);
}

static void write_cell_data(dls_mesh_motion *m, size_t row, FILE *out)
{
  const size_t values = m->mesh.values;
  if (values == 0) {
    return;
  }
  dls_mesh_motion_values(m, row);
  fputs("<CellData>\n", out);
  for (size_t k = 0; k < values; k++) {
    fprintf(out, "<DataArray type=\"Float64\" Name=\"%s\" format=\"ascii\">\n", m->mesh.names[k]);
    for (size_t c = 0; c < m->mesh.cells; c++) {
      fprintf(out, "%.17g\n", m->values[c * values + k]);
    }
    fputs("</DataArray>\n", out);
  }
  fputs("</CellData>\n", out);
}

static void write_cells(const dls_mesh *mesh, FILE *out)
{
  fputs("<Cells>\n<DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">\n", out);
  for (size_t i = 0; i < mesh->cells * mesh->corners; i++) {
    fprintf(out, "%zu%c", mesh->cell[i], (i + 1) % mesh->corners == 0 ? '\n' : ' ');
  }
  fputs("</DataArray>\n<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">\n", out);
  for (size_t c = 1; c <= mesh->cells; c++) {
    fprintf(out, "%zu\n", c * mesh->corners);
  }
  fputs("</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">\n", out);
  for (size_t c = 0; c < mesh->cells; c++) {
    fprintf(out, "%d\n", mesh->corners == 2 ? VTK_LINE : VTK_QUAD);
  }
  fputs("</DataArray>\n</Cells>\n", out);
}

static void write_head(const char *type, FILE *out)
{
  fprintf(out, "<?xml version=\"1.0\"?>\n<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"LittleEndian\">\n",
          type);
}

static void write_grid(dls_mesh_motion *m, size_t row, FILE *out)
{
  const double *x = dls_mesh_motion_row(m, row);
  write_head("UnstructuredGrid", out);
  fprintf(
      out,
      "<UnstructuredGrid>\n<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
      "format=\"ascii\">%.17g</DataArray>\n</FieldData>\n",
      x[0]);
  fprintf(out, "<Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%zu\">\n", m->mesh.points, m->mesh.cells);
  write_point_data(m, row, out);
  write_cell_data(m, row, out);
  fputs("<Points>\n", out);
  dls_mesh_places(&m->mesh, x + m->q, m->points);
  write_vectors(m, "points", out);
  fputs("</Points>\n", out);
  write_cells(&m->mesh, out);
  fputs("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", out);
}

/* @param[out] rows  from the first on that have their files */
static dls_status write_files(dls_mesh_motion *m, const char *path, bool (*poll)(void), size_t *rows,
                              dls_error *err)
{
  dls_status status = DLS_OK;
  size_t row = 0;
  for (size_t number = 0; status == DLS_OK && row < m->traj->rows && (poll == NULL || poll()); row++) {
    char name[MOST_NAME];
    dls_output *out = NULL;
    if (!dls_mesh_motion_right(m, row)) {
      continue;
    }
    file_name(path, number++, false, name);
    status = dls_output_open(name, &out, err);
    if (status == DLS_OK) {
      write_grid(m, row, dls_output_stream(out));
      status = dls_output_commit(out, err);
    }
  }
  *rows = row;
  return status;
}

static dls_status write_collection(const dls_mesh_motion *m, size_t rows, const char *path, dls_error *err)
{
  char name[MOST_NAME];
  dls_output *out = NULL;
  file_name(path, SIZE_MAX, false, name);
  const dls_status status = dls_output_open(name, &out, err);
  if (status != DLS_OK) {
    return status;
  }
  FILE *stream = dls_output_stream(out);
  write_head("Collection", stream);
  fputs("<Collection>\n", stream);
  for (size_t row = 0, number = 0; row < rows; row++) {
    if (dls_mesh_motion_right(m, row)) {
      file_name(path, number++, true, name);
      fprintf(stream, "<DataSet timestep=\"%.17g\" file=\"", dls_mesh_motion_row(m, row)[0]);
      dls_markup_escape(stream, name);
      fputs("\"/>\n", stream);
    }
  }
  fputs("</Collection>\n</VTKFile>\n", stream);
  return dls_output_commit(out, err);
}

dls_status dls_vtu_write(const dls_model *model, const dls_system *sys, const dls_trajectory *traj,
                         const char *path, bool (*poll)(void), dls_error *err)
{
  dls_mesh_motion m = {0};
  size_t rows = 0;
  dls_status status = dls_vtu_check(model, (double)traj->rows / 2, path, NULL, err); /* jumps have two rows */
  if (status == DLS_OK && (status = dls_mesh_motion_create(model, sys, traj, &m, err)) == DLS_OK &&
      (status = write_files(&m, path, poll, &rows, err)) == DLS_OK) {
    status = write_collection(&m, rows, path, err);
  }
  if (status == DLS_OK && rows < traj->rows) {
    status = dls_fail(err, DLS_ERR_INTERRUPTED, "'%.200s': interrupted after %zu of %zu rows", path, rows,
                      traj->rows);
  }
  dls_mesh_motion_destroy(&m);
  return status;
}
