"""The code in docs/python.md and docs/cpp.md: examples stand there word for word, everything else runs."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def blocks(page, language):
    text = (ROOT / page).read_text()
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def sources(folder, ending):
    return {path.name: path.read_text() for path in (ROOT / folder).glob(f"*{ending}")}


def test_cpp_page():
    examples = sources("examples/cpp", ".cpp")
    code = blocks("docs/cpp.md", "cpp")
    assert len(code) == 2 and all(block in examples.values() for block in code)
    page = (ROOT / "docs/cpp.md").read_text()
    assert set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == {Path(name).stem for name in examples}
    for header in re.findall(r"`(lithe/[\w/]+\.hpp)`", page):
        assert (ROOT / "include" / header).exists(), header


def test_python_page(monkeypatch):
    examples = sources("python/examples", ".py")
    monkeypatch.chdir(ROOT)
    names = {}
    included = 0
    for block in blocks("docs/python.md", "python"):
        if block in examples.values():
            included += 1
        else:
            exec(compile(block, "docs/python.md", "exec"), names)
    assert included == 5


def test_readme(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (model,) = blocks("README.md", "yaml")
    (tmp_path / "four-bar.yaml").write_text(model)
    code = blocks("README.md", "python")
    assert code
    for block in code:
        exec(compile(block, "README.md", "exec"), {})
