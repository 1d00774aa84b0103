"""Debian's chromium, and what a test asks of every page in it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

# The written elements that do not stand out from their ground.
CONTRAST = """
const parse = (c) => c.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
const behind = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor);
  if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
const written = (e) => e.offsetHeight && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
const ratio = (a, b) => (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
return [...document.querySelectorAll('body *')].filter(written).map(e => [ratio(light(parse(getComputedStyle(e).color)),
  light(behind(e))), e.className || e.tagName]).filter(([found]) => found < 4.5);
"""


def chromium(profile: Path) -> Iterator[Any]:
    """A browser without a window; the test is skipped where there is none."""
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.skip("needs Debian's packages chromium and chromium-driver")
    webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium")
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = program
    switches = "headless=new no-sandbox disable-gpu disable-quic no-first-run disable-background-networking"
    for switch in f"{switches} disable-component-update disable-sync user-data-dir={profile}".split():
        options.add_argument(f"--{switch}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    opened = webdriver.Chrome(options=options, service=Service(driver))
    opened.set_window_size(1400, 900)
    yield opened
    opened.quit()
