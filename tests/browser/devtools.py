"""A page in headless chromium, driven through its DevTools pipe.

    with Page() as page:
        page.size(390, 844)
        page.open("page.html")
        print(page.js("document.title"))

SPDX-License-Identifier: GPL-3.0-or-later"""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome"]
PATIENCE = 60  # seconds for an answer


def browser():
    """The path of a chromium, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Page:
    def __init__(self, flags=()):
        self.flags = list(flags)
        self.sent = 0
        self.unread = b""
        self.problems = []  # errors of the page's scripts and on its console, requests that leave it

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="delassus-browser-")
        theirs_in, self.to = os.pipe()
        self.back, theirs_out = os.pipe()

        def three_and_four():  # where chromium expects the pipe
            kept = [os.dup(theirs_in), os.dup(theirs_out)]
            for place, end in zip((3, 4), kept):
                os.dup2(end, place)
                os.set_inheritable(place, True)

        command = [
            browser(),
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--hide-scrollbars",
            f"--user-data-dir={self.folder}",
            "--remote-debugging-pipe",
            *self.flags,
            "about:blank",
        ]
        self.process = subprocess.Popen(
            command,
            preexec_fn=three_and_four,
            close_fds=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        try:
            pages = [
                t for t in self.call("Target.getTargets", whole=True)["targetInfos"] if t["type"] == "page"
            ]
            self.session = None
            self.session = self.call(
                "Target.attachToTarget", targetId=pages[0]["targetId"], flatten=True, whole=True
            )["sessionId"]
            for domain in ("Page", "Runtime", "Log", "Network"):
                self.call(f"{domain}.enable")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.back)
        shutil.rmtree(self.folder, ignore_errors=True)

    # --- messages ---

    def call(self, method, whole=False, **parameters):
        """The result of a DevTools method; whole: of the browser, not of the page."""
        self.sent += 1
        message = {"id": self.sent, "method": method, "params": parameters}
        if not whole:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.next_message()
            if answer.get("id") == self.sent:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def next_message(self):
        until = time.monotonic() + PATIENCE
        while b"\0" not in self.unread:
            ready, _, _ = select.select([self.back], [], [], max(until - time.monotonic(), 0))
            chunk = os.read(self.back, 1 << 20) if ready else b""
            if not chunk:
                raise RuntimeError("the browser does not answer")
            self.unread += chunk
        text, self.unread = self.unread.split(b"\0", 1)
        message = json.loads(text)
        self.note(message.get("method"), message.get("params", {}))
        return message

    def note(self, method, event):
        if method == "Runtime.exceptionThrown":
            details = event["exceptionDetails"]
            self.problems.append(
                "script: " + details.get("exception", {}).get("description", details["text"])
            )
        elif method == "Runtime.consoleAPICalled" and event["type"] in ("error", "warning", "assert"):
            self.problems.append("console: " + " ".join(str(a.get("value", "")) for a in event["args"]))
        elif method == "Log.entryAdded" and event["entry"]["level"] in ("error", "warning"):
            self.problems.append("log: " + event["entry"]["text"])
        elif method == "Network.requestWillBeSent" and not event["request"]["url"].startswith(
            ("file:", "data:", "about:", "blob:")
        ):
            self.problems.append("request: " + event["request"]["url"])

    # --- what is done with a page ---

    def size(self, width, height, dark=False, media=""):
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media=media, features=[scheme])

    def open(self, path):
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        until = time.monotonic() + PATIENCE
        while self.js("document.readyState") != "complete" or self.js("location.href") == "about:blank":
            if time.monotonic() > until:
                raise RuntimeError(f"{path} is not loaded")
            time.sleep(0.02)

    def js(self, expression, wait=False):
        """The value of an expression; wait: of the promise that it is."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=wait)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def key(self, name, code):
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code)

    def picture(self, path, whole=True):
        self.call("Page.bringToFront")
        data = self.call("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def print(self):
        """The pages as PDF."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=False)["data"])
