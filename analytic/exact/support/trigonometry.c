/* trigonometry.c -- see trigonometry.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/trigonometry.h"
#include <math.h>

/* pi/2 as a sum; products of the first number, which has 33 bits, with the quadrants up to 2^20 are exact in double. */
static const double half_pi = 0x1.921fb54400000p+0;
static const long double half_pi_rest = 0.00000000006077100506506192601475144209858469968755L;
static const double largest_angle = 1e6;

/* sin and cos of k/16 */
static const dls_sine_cosine nodes[] = {
    {0L, 1L},
    {0.0624593178423801985846815066702307534L, 0.998047510700099149630867589950833857L},
    {0.124674733385227689957442708712108468L, 0.99219766722932905314909690778825087L},
    {0.186403296762269884552379983103205263L, 0.982473313101255257487327683243622479L},
    {0.247403959254522929596848704849389196L, 0.9689124217106447841445954494941892L},
    {0.307438514580380850670502958201982101L, 0.951567948048172202145488217364270969L},
    {0.366272529086047561372909351716264157L, 0.930507621912314291149476792229555508L},
    {0.423676257203938010361683988031102494L, 0.905813683425936420744516660652700222L},
    {0.479425538604203000273287935215571388L, 0.877582561890372716116281582603829652L},
    {0.533302673536020173329131103308161495L, 0.845924499231067954459723078597493282L},
    {0.585097272940462154805399314150080441L, 0.810963119505217902189534803941080735L},
    {0.634607080015269296850309914203671441L, 0.772834946152471544810851845913425217L},
    {0.681638760023334166733241952779893935L, 0.731688868873820886311838753000084544L},
    {0.726008655260712549657314560246474844L, 0.687685562220504844514062424364299874L},
};

/* With r = y - k/16, |r| <= 1/32: sin y = S + C r - (S (1 - cos r) + C (r - sin r)), and cos y alike. What is in brackets is below 5e-4. */
static dls_sine_cosine first_octants(long double y) /* |y| <= pi/4, to rounding */
{
  const double k = rint(16 * (double)y), far = fabs(k);
  const dls_sine_cosine *node = &nodes[(int)far];
  const long double r = (k < 0 ? -y : y) - (long double)(far / 16);
  const double x = (double)r, xx = x * x, S = (double)node->sine, C = (double)node->cosine;
  const double c = xx * (1 / 2. - xx * (1 / 24. - xx * (1 / 720. - xx / 40320)));        /* 1 - cos r */
  const double d = x * xx * (1 / 6. - xx * (1 / 120. - xx * (1 / 5040. - xx / 362880))); /* r - sin r */
  const long double sine = (node->sine + node->cosine * r) - (long double)(S * c + C * d);
  const long double cosine = (node->cosine - node->sine * r) - (long double)(C * c - S * d);
  return (dls_sine_cosine){k < 0 ? -sine : sine, cosine};
}

dls_sine_cosine dls_sine_cosine_of(long double y)
{
  if (!(fabsl(y) < (long double)largest_angle)) {
    return (dls_sine_cosine){sinl(y), cosl(y)};
  }
  const double quadrant = rint((double)y / half_pi);
  const dls_sine_cosine at =
      first_octants((y - (long double)(quadrant * half_pi)) - (long double)quadrant * half_pi_rest);
  switch ((int)quadrant & 3) {
  case 0:
    return at;
  case 1:
    return (dls_sine_cosine){at.cosine, -at.sine};
  case 2:
    return (dls_sine_cosine){-at.sine, -at.cosine};
  default:
    return (dls_sine_cosine){-at.cosine, at.sine};
  }
}

/* One step of Newton's method from the value in double, whose error has a square below the digits. */
long double dls_arc_sine(long double x)
{
  const double near = asin((double)x);
  const dls_sine_cosine at = dls_sine_cosine_of(near);
  return near + (long double)((double)(x - at.sine) / (double)at.cosine);
}

long double dls_arc_tangent(long double x)
{
  const double near = atan((double)x);
  const dls_sine_cosine at = dls_sine_cosine_of(near);
  return near + (long double)((double)(x * at.cosine - at.sine) * (double)at.cosine);
}
