# test_python.py -- the Python module: results, refusals, plugins, interruption. Run by test_python.sh.
# SPDX-License-Identifier: GPL-3.0-or-later
import importlib.util
import os
import pickle
import re
import signal
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

import delassus


class Results(unittest.TestCase):
    def test_a_run_is_what_the_closed_form_says(self):
        run = delassus.run("bouncing-ball", scheme="event-driven:tol=1e-12", end=2.5, e=0.8)
        # q = 1 - t^2 up to t = 1, then speed 1.6 up, height 1.6 s - s^2, next impact at t = 2.6
        self.assertEqual([event["kind"] for event in run.events], ["impact"])
        self.assertAlmostEqual(run.events[0]["t"], 1, delta=1e-11)
        self.assertAlmostEqual(run.events[0]["u_plus"], 1.6, delta=1e-10)
        self.assertAlmostEqual(run.q0[-1], 1.6 * 1.5 - 1.5**2, delta=1e-10)
        self.assertTrue(run.complete)
        self.assertEqual(run.failure, "")

    def test_columns_come_by_name_and_as_attributes(self):
        run = delassus.run("bouncing-ball", scheme="moreau-jean:theta=1", step=1e-2, end=4)
        self.assertEqual(run.columns, ["t", "q0", "v0", "g0", "u0", "p0", "lambda0", "status0"])
        self.assertEqual(list(run["q0"]), list(run.q0))
        self.assertEqual(len(run), len(run.t))
        self.assertAlmostEqual(run.t[-1], 4, delta=1e-12)
        self.assertEqual(run.work["steps"], 400)
        self.assertEqual(run.notes["model"], "bouncing-ball")
        self.assertIn("theta=1,", run.notes["options"])
        with self.assertRaises(AttributeError):
            run.q7

    def test_positions_and_velocities_come_as_matrices(self):
        run = delassus.run("two-ball-oscillator", scheme="moreau-jean:theta=1", step=1e-2, end=1)
        self.assertEqual([list(row) for row in run.q], [list(row) for row in zip(run.q0, run.q1)])
        self.assertEqual([list(row) for row in run.v], [list(row) for row in zip(run.v0, run.v1)])
        self.assertEqual([list(row) for row in run.g], [[g] for g in run.g0])
        with self.assertRaisesRegex(AttributeError, "no column x: there are t, q0"):
            run.x

    def test_a_run_says_what_it_is(self):
        run = delassus.run("bouncing-ball", scheme="moreau-jean:theta=1", step=1e-2, end=4, e=0.8)
        self.assertRegex(repr(run), r"^<delassus.Run: bouncing-ball, moreau-jean:theta=1, h = 0.01 s: \d+ nodes up to t = 4 s, 3 events>$")
        page = run._repr_html_()
        self.assertEqual(len(re.findall("<tr>", page)), len(re.findall("</tr>", page)))
        self.assertIn("m=1,f=-2,e=0.8", page)
        self.assertIn("3 impact", page)
        self.assertEqual(run.label("v0"), "velocity [m/s]")
        self.assertRegex(delassus.__version__, r"^\d+\.\d+\.\d+$")

    def test_values_between_rows(self):
        run = delassus.run("bouncing-ball", scheme="event-driven", end=2.5, e=0.8)
        # between the impacts q = 1.6 s - s^2 with s = t - 1
        self.assertAlmostEqual(run.at(1.37)["q0"], 1.6 * 0.37 - 0.37**2, delta=1e-9)
        self.assertAlmostEqual(run.at(run.events[0]["t"], "v0")["v0"], 1.6, delta=1e-9)
        self.assertAlmostEqual(run.at(run.events[0]["t"], ["v0"], side=-1)["v0"], -2, delta=1e-9)
        several = run.at([0.25, 0.5], "q0")["q0"]
        self.assertEqual(len(several), 2)
        self.assertAlmostEqual(several[1], 0.75, delta=1e-9)
        steps = delassus.run("bouncing-ball", scheme="moreau-jean", step=0.1, end=1)
        self.assertAlmostEqual(steps.at(0.15)["q0"], (steps.q0[1] + steps.q0[2]) / 2, delta=1e-14)
        with self.assertRaisesRegex(KeyError, "no column x"):
            run.at(1, "x")
        for t in (-0.1, 2.6, float("nan")):
            with self.assertRaisesRegex(delassus.Error, "outside the rows"):
                run.at(t)

    def test_files_and_copies(self):
        run = delassus.run("bouncing-ball", scheme="moreau-jean", step=0.1, end=1)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ball.csv")
            run.to_csv(path)
            with open(path, encoding="utf-8") as file:
                lines = [line.rstrip() for line in file]
            rows = [line for line in lines if not line.startswith("#")]
            self.assertEqual(rows[0], ",".join(run.columns))
            self.assertEqual(len(rows), len(run) + 1)
            self.assertEqual([float(row.split(",")[1]) for row in rows[1:]], list(run.q0))
            self.assertIn("# model: bouncing-ball", lines)
            with self.assertRaisesRegex(delassus.Error, "cannot"):
                run.to_csv(os.path.join(folder, "there", "is", "none.csv"))
        copied = pickle.loads(pickle.dumps(run))
        self.assertEqual(list(copied.q0), list(run.q0))
        with self.assertRaisesRegex(delassus.Error, "a copied run"):
            copied.at(0.5)

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not here")
    def test_data_frames(self):
        run = delassus.run("bouncing-ball", scheme="moreau-jean", step=0.1, end=1)
        frame = run.to_dataframe()
        self.assertEqual(list(frame.columns), run.columns)
        self.assertEqual(list(frame["q0"]), list(run.q0))
        self.assertEqual(frame.attrs["model"], "bouncing-ball")

    def test_data_frames_name_what_they_need(self):
        run = delassus.run("bouncing-ball", scheme="moreau-jean", step=0.1, end=1)
        with unittest.mock.patch.dict(sys.modules, {"pandas": None}):
            with self.assertRaisesRegex(ImportError, "needs pandas.*pip install pandas"):
                run.to_dataframe()

    def test_an_angle_is_in_radians(self):
        run = delassus.run("bouncing-pendulum", scheme="moreau-jean", step=1e-2, end=0.1)
        self.assertEqual(run.label("q0"), "angle [rad]")
        self.assertEqual(run.label("v0"), "velocity of angle [rad/s]")

    @unittest.skipIf(importlib.util.find_spec("matplotlib") is None, "no matplotlib here")
    def test_a_run_is_drawn(self):
        exact = delassus.exact("bouncing-ball", end=4.0)
        figure = delassus.run("bouncing-ball", scheme="moreau-jean:theta=1", step=1e-2, end=4).plot(exact=exact)
        self.assertEqual([panel.get_ylabel() for panel in figure.axes], ["q0: position [m]", "v0: velocity [m/s]"])
        self.assertEqual(list(figure.axes[0].lines[0].get_ydata()), list(exact.q0))

    @unittest.skipIf(importlib.util.find_spec("matplotlib") is None, "no matplotlib here")
    def test_what_is_cubic_between_nodes_is_drawn_so(self):
        run = delassus.run("bouncing-ball", scheme="event-driven", end=1.9)
        self.assertLess(len(run), 100)
        line = run.plot("q0").axes[0].lines[0]
        flights = [(t, q) for t, q in zip(line.get_xdata(), line.get_ydata())]
        self.assertGreater(len(flights), 200)
        for t, q in flights:
            self.assertAlmostEqual(q, 1 - t * t if t <= 1 else (t - 1) - (t - 1) ** 2, delta=1e-9)

    @unittest.skipIf(importlib.util.find_spec("matplotlib") is None, "no matplotlib here")
    def test_pictures_have_styles(self):
        run = delassus.run("bouncing-ball", scheme="moreau-jean", step=1e-2, end=1)
        usual, journal, slides = (run.plot(style=style) for style in ("screen", "journal", "slides"))
        self.assertEqual(list(run.plot().get_size_inches()), list(usual.get_size_inches()))
        self.assertAlmostEqual(journal.get_size_inches()[0], 8.5 / 2.54)
        self.assertEqual(slides.get_size_inches()[0], 10)
        widths = [figure.axes[0].lines[0].get_linewidth() for figure in (journal, usual, slides)]
        letters = [figure.axes[-1].xaxis.label.get_size() for figure in (journal, usual, slides)]
        self.assertEqual(widths, sorted(set(widths)))
        self.assertEqual(letters, sorted(set(letters)))
        with self.assertRaisesRegex(ValueError, "style = 'poster' must be one of: screen, journal, slides"):
            run.plot(style="poster")

    def test_exact_has_both_sides_of_a_jump(self):
        exact = delassus.exact("bouncing-ball", at=[0.5, 1, 2])
        self.assertEqual(list(exact.t), [0.5, 1, 1, 2, 2])
        self.assertEqual(list(exact.v0), [-1, -2, 1, -1, 0.5])
        dense = delassus.exact("bouncing-ball", end=2.0)
        self.assertEqual(dense.t[-1], 2)
        self.assertGreater(len(dense), 200)

    def test_names_are_listed_with_a_line_each(self):
        self.assertIn("bouncing-ball", delassus.models())
        self.assertIn("moreau-jean", delassus.schemes())
        for names in (delassus.models(), delassus.schemes()):
            self.assertTrue(all(line for line in names.values()))

    def test_two_threads_run_at_once(self):
        ends = {}

        def work(e):
            ends[e] = delassus.run("bouncing-ball", scheme="moreau-jean", step=1e-4, end=2, e=e).q0[-1]

        threads = [threading.Thread(target=work, args=(e,)) for e in (0.2, 0.4, 0.6, 0.8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for e, q in ends.items():
            self.assertEqual(q, delassus.run("bouncing-ball", scheme="moreau-jean", step=1e-4, end=2, e=e).q0[-1])


class Checks(unittest.TestCase):
    def test_callbacks_are_compared_with_differences(self):
        check = delassus.check_model("bouncing-pendulum", states=3, l=2)
        self.assertTrue(check)
        self.assertEqual(check.wrong, [])
        self.assertEqual([row["callback"] for row in check], ["stiffness", "damping", "gradient", "gap_rate", "curvature"])
        self.assertEqual([row["absent"] for row in check], [False, True, False, True, False])
        self.assertIn("-dF/dq", repr(check))
        self.assertLess(check[0]["difference"], 1e-6 * check[0]["size"])


class Refusals(unittest.TestCase):
    def check(self, text, function, *arguments, **parameters):
        with self.assertRaisesRegex(delassus.Error, text) as caught:
            function(*arguments, **parameters)
        return caught.exception

    def test_wrong_requests_say_what_is_wrong(self):
        self.check("did you mean 'bouncing-ball'", delassus.run, "bouncing-bal", "moreau-jean", step=1e-3)
        self.check("unknown scheme 'moreau'", delassus.run, "bouncing-ball", "moreau", step=1e-3)
        self.check("theta = 0.4 is outside", delassus.run, "bouncing-ball", "moreau-jean:theta=0.4", step=1e-3)
        self.check("no 'x'", delassus.run, "bouncing-ball", "moreau-jean", step=1e-3, x=1)
        self.check("e = 2 is outside", delassus.run, "bouncing-ball", "moreau-jean", step=1e-3, e=2)
        self.check("needs a time step > 0", delassus.run, "bouncing-ball", "moreau-jean")
        self.check("chooses its own steps", delassus.run, "bouncing-ball", "event-driven", step=1e-3)
        self.check("no exact solution", delassus.exact, "wedge")
        self.check("times must increase", delassus.exact, "bouncing-ball", at=[2, 1])
        self.check("step = 'fine': it must be a number", delassus.run, "bouncing-ball", "moreau-jean", step="fine")
        self.check(r"end = \[4\]: it must be a number", delassus.run, "bouncing-ball", "event-driven", end=[4])
        self.check("e = None: it must be a number", delassus.run, "bouncing-ball", "event-driven", e=None)
        with self.assertRaisesRegex(KeyError, "no column q7: there are t, q0"):
            delassus.exact("bouncing-ball", at=1)["q7"]
        self.check("states = 0", delassus.check_model, "wedge", states=0)
        self.check("unknown model", delassus.check_model, "wegde")
        self.check("cannot be loaded", delassus.plugin, "nothing.so")

    def test_a_failed_run_keeps_what_it_computed(self):
        # the event-driven integrator refuses to pass more events than it may
        error = self.check("event", delassus.run, "bouncing-ball", "event-driven:max_events=2", end=4)
        self.assertIsNotNone(error.run)
        self.assertFalse(error.run.complete)
        self.assertGreater(len(error.run), 2)
        self.assertEqual(error.run.failure, str(error))


class Plugins(unittest.TestCase):
    def test_a_plugin_is_usable_by_name(self):
        delassus.plugin(sys.argv[1])
        self.assertIn("ball-in-air", delassus.models())
        run = delassus.run("ball-in-air", scheme="strang-impact", step=1e-4, end=0.48)
        # v = -sqrt(m g / c) tanh(t sqrt(g c / m)); the kicks are of first order in the drag
        self.assertAlmostEqual(run.v0[-1], -3.486, delta=1e-2)
        with self.assertRaisesRegex(delassus.Error, "is taken"):
            delassus.plugin(sys.argv[1])


class Interruption(unittest.TestCase):
    def test_ctrl_c_ends_a_run(self):
        before = signal.getsignal(signal.SIGINT)
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        began = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            delassus.run("impacting-oscillator", scheme="event-driven", end=1e6, e=1)
        self.assertLess(time.monotonic() - began, 60)
        self.assertEqual(signal.getsignal(signal.SIGINT), before)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
