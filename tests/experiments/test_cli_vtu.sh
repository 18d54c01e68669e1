# test_cli_vtu.sh -- run --out FILE.vtu: a series of meshes that any reader of XML can take apart, and what is refused.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
tool=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
fail() { echo "FAIL: $*"; exit 1; }
try() { # STATUS COMMAND...: with this exit status; what it says is in said
  local want=$1 got=0
  shift
  "$@" >said 2>&1 || got=$?
  [ "$got" = "$want" ] || { cat said; fail "$*: exit $got, wanted $want"; }
}
beam=("$tool" run rotating-beam --scheme nonsmooth-generalized-alpha --step 1e-3)
try 0 "${beam[@]}" --end 0.4 --at 0,0.2,0.331,0.4 --out beam.vtu
[ "$(LC_ALL=C ls | tr '\n' ' ')" = "beam.pvd beam_00000.vtu beam_00001.vtu beam_00002.vtu beam_00003.vtu said " ] || fail "files: $(ls)"
try 0 "${beam[@]}" --end 0.4 --at 0,0.2,0.331,0.4 --out beam.csv
try 0 "$tool" run elastic-bar --set n=4 --set A=2 --scheme moreau-jean --step 1e-2 --end 0.6 --every 20 --out bar.vtu
try 0 "$tool" run elastic-block --set nx=3 --set ny=2 --set sides=periodic --set start=static --set press=7 --set h0=0 --set vx=0 \
  --set vy=0 --scheme moreau-jean --step 1e-3 --end 1e-2 --every 10 --out block.vtu
python3 - <<'END'
import csv, math, xml.etree.ElementTree as tree
def grid(name):
    piece = tree.parse(name).getroot().find('UnstructuredGrid/Piece')
    read = lambda a: [float(x) for x in a.text.split()]
    data = {a.get('Name'): read(a) for a in piece.iter('DataArray')}
    assert int(piece.get('NumberOfPoints')) * 3 == len(data['points'])
    assert int(piece.get('NumberOfCells')) == len(data['types']) == len(data['offsets'])
    assert max(data['connectivity']) == len(data['points']) / 3 - 1
    return data
def near(a, b, bound):
    assert abs(a - b) <= bound, (a, b)
times = [float(d.get('timestep')) for d in tree.parse('beam.pvd').getroot().iter('DataSet')]
assert times == [0, 0.2, 0.331, 0.4], times
files = [d.get('file') for d in tree.parse('beam.pvd').getroot().iter('DataSet')]
lines = [l for l in open('beam.csv') if not l.startswith('#')]
rows = {float(r['t']): r for r in csv.DictReader(lines)}  # of two rows with one time the second
for t, name in zip(times, files):
    d, row = grid(name), rows[t]
    assert d['points'][:3] == [0, 0, 0]
    for node in range(1, 5):
        for k in range(2):
            i = str(3 * node + k - 2)
            assert d['points'][3 * node + k] == float(row['q' + i])
            assert d['velocity'][3 * node + k] == float(row['v' + i])
            rest = 0.25 * node if k == 0 else 0
            assert abs(d['displacement'][3 * node + k] - float(row['q' + i]) + rest) < 1e-15
    assert d['impulse'][12] == float(row['p0']) and d['impulse'][13] == 0 and not any(d['impulse'][:12])
    angle = [float(row['q' + str(3 * node)]) for node in range(5)]
    for e in range(4):  # E A (d.r' - 1), G A 5/6 n.r', E I angle' in the middle, of Simo and Vu-Quoc's beam
        x, y = ((d['points'][3 * e + 3 + k] - d['points'][3 * e + k]) / 0.25 for k in range(2))
        c, s = math.cos((angle[e] + angle[e + 1]) / 2), math.sin((angle[e] + angle[e + 1]) / 2)
        E, A = 2.1e11, 1e-4
        near(d['axial force [N]'][e], E * A * (c * x + s * y - 1), 1e-6)  # rounding of 1 times E A
        near(d['shear force [N]'][e], E / 2.6 * A * 5 / 6 * (c * y - s * x), 1e-6)
        near(d['bending moment [N m]'][e], E * A * A / 12 * (angle[e + 1] - angle[e]) / 0.25, 1e-9)
assert min(abs(f) for n in files[1:] for f in grid(n)['bending moment [N m]']) > 1e-3
assert grid(files[2])['impulse'][12] > 0  # the impact
bar = grid('bar_00003.vtu')
assert bar['types'] == [3] * 4 and bar['points'][0] == 0
for e, force in enumerate(bar['axial force [N]']):  # E A du/dX
    near(force, 900 * 2 * (bar['displacement'][3 * e + 4] - bar['displacement'][3 * e + 1]) / 2.5, 1e-9)
assert max(abs(f) for f in bar['axial force [N]']) > 10
block = grid('block_00000.vtu')  # plane strain under pressure: yy = -press, xx = nu/(1 - nu) yy
for e in range(6):
    for name, stress in (('xx', -3), ('yy', -7), ('xy', 0)):
        near(block[f'stress {name} [Pa]'][e], stress, 1e-12)
END
try 2 "$tool" run bouncing-ball --scheme moreau-jean --step 1e-2 --out ball.vtu
grep -q "model bouncing-ball has no mesh; these have: elastic-bar" said || fail "$(cat said)"
try 2 "${beam[@]}" --end 20 --out beam.vtu
grep -q "20000 rows need as many files, at most 10000" said || fail "$(cat said)"
try 2 "${beam[@]}" --columns q0 --out beam.vtu
try 2 "${beam[@]}" --end 0.1 --out nowhere/beam.vtu
grep -q "cannot write 'nowhere/beam_00000.vtu'" said || fail "$(cat said)"
[ ! -e ball.pvd ] || fail "refused, but written"
# --of mesh: lines at instants, or over time and place
try 0 "${beam[@]}" --end 0.4 --of mesh --plot beam.svg
[ -s beam.svg ] && [ "$(grep -c '^\$mesh' beam.gp)" = 9 ] || fail "no picture of the mesh at nine instants"
grep -q "impulse at 0.331 s" beam.gp || fail "no impulse in the picture"
try 0 "$tool" run elastic-bar --set n=20 --scheme moreau-jean --step 1e-2 --end 1.2 --of mesh --plot bar.svg
grep -q "with image" bar.gp || fail "no picture over time and place"
# the same in the terminal: a scale with a range uses every shade
"$tool" run elastic-bar --set n=20 --scheme moreau-jean --step 1e-2 --end 1.2 --of mesh --plot - >bar.txt 2>said ||
  fail "$(cat said)"
for shade in ░ ▒ ▓ █; do
  grep -q "$shade" bar.txt || fail "no $shade over time and place: $(cat bar.txt)"
done
grep -q "elastic-bar, n=20, moreau-jean, h = 1e-2 s" bar.txt || fail "title: $(head -1 bar.txt)"
grep -q "X \[m\], shades: axial force \[N\]" bar.txt || fail "no label of the shades: $(cat bar.txt)"
try 2 "$tool" run bouncing-ball --scheme moreau-jean --step 1e-2 --of mesh --plot ball.svg
grep -q "model bouncing-ball has no mesh" said || fail "$(cat said)"
try 2 "${beam[@]}" --of mesh
try 2 "${beam[@]}" --of mesh --plot beam.svg --columns q0
