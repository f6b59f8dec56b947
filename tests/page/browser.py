"""Chromium without a window, driven through its DevTools protocol over two pipes: no driver program, no port."""

import base64
import fcntl
import json
import os
import pathlib
import select
import shutil
import subprocess
import time

NAMES = ["chromium", "chromium-browser", "google-chrome", "chromium-headless-shell"]
COMMAND, REPLY = 3, 4  # the descriptors on which --remote-debugging-pipe listens and answers
PATIENCE = 300  # seconds; how busy the machine is decides nothing


def find_browser():
    """The path of an installed Chromium, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Page:
    """One tab. Collects what its console says and what it asks of a network."""

    def __init__(self, program, profile):
        command, self.commands = os.pipe()
        self.replies, reply = os.pipe()
        theirs = [fcntl.fcntl(fd, fcntl.F_DUPFD, 10) for fd in (command, reply)]

        def place():
            os.dup2(theirs[0], COMMAND)
            os.dup2(theirs[1], REPLY)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank"],
            pass_fds=(COMMAND, REPLY), preexec_fn=place, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**os.environ, "HOME": str(profile)})
        for fd in (command, reply, *theirs):
            os.close(fd)
        self.buffer, self.number, self.session = b"", 0, None
        self.console, self.requests = [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Runtime", "Page", "Network", "Log"]:
            self.call(domain + ".enable")

    def close(self):
        self.process.terminate()
        self.process.wait(PATIENCE)
        os.close(self.commands)
        os.close(self.replies)

    def message(self, deadline):
        while b"\0" not in self.buffer:
            if not select.select([self.replies], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            part = os.read(self.replies, 1 << 20)
            if not part:
                raise EOFError("the browser has ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def note(self, event):
        method, given = event.get("method"), event.get("params", {})
        if method == "Runtime.consoleAPICalled":
            self.console.append(" ".join(str(part.get("value", part.get("description"))) for part in given["args"]))
        elif method == "Runtime.exceptionThrown":
            self.console.append(given["exceptionDetails"].get("exception", {}).get("description", "exception"))
        elif method == "Log.entryAdded":
            self.console.append(given["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(given["request"]["url"])

    def call(self, method, **params):
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.commands, json.dumps(request).encode() + b"\0")
        deadline = time.monotonic() + PATIENCE
        while (reply := self.message(deadline)).get("id") != self.number:
            self.note(reply)
        if "error" in reply:
            raise RuntimeError(f"{method}: {reply['error']['message']}")
        return reply["result"]

    def run(self, script):
        """The value of an expression in the page; a promise is waited for."""
        reply = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in reply:
            raise RuntimeError(reply["exceptionDetails"]["exception"].get("description", "exception"))
        return reply["result"].get("value")

    def wait(self, condition):
        deadline = time.monotonic() + PATIENCE
        while not self.run(condition):
            if time.monotonic() > deadline:
                raise TimeoutError(condition)
            time.sleep(0.05)

    def arrived(self):
        """True once the page before this one is gone and this one is ready. In between, no page may answer."""
        try:
            return self.run("!window.isEarlierPage && document.documentElement?.dataset.ready === 'yes'")
        except RuntimeError:
            return False

    def size(self, width, height=900):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def prefer(self, scheme):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, file):
        """Loads the page and waits until it says that it is ready, then until all charts are drawn."""
        self.run("window.isEarlierPage = true")  # it answers until the new one is there
        self.console.clear()
        self.requests.clear()
        self.call("Page.navigate", url=pathlib.Path(file).resolve().as_uri())
        deadline = time.monotonic() + PATIENCE
        while not self.arrived():
            if time.monotonic() > deadline:
                raise TimeoutError(f"{file} does not become ready")
            time.sleep(0.05)
        self.wait("document.documentElement.dataset.charts === 'drawn'")

    def press(self, key, code=None, text=""):
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32}
        for kind in ["keyDown", "keyUp"]:
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key,
                      windowsVirtualKeyCode=codes.get(key, 0), text=text if kind == "keyDown" else "")

    def screenshot(self, file, whole=True):
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        pathlib.Path(file).write_bytes(base64.b64decode(shot["data"]))

    def pdf(self, file):
        printed = self.call("Page.printToPDF", printBackground=False)
        pathlib.Path(file).write_bytes(base64.b64decode(printed["data"]))
