"""The measured files in results/: each of a known form, packed where it is large, and small together."""

import gzip
import json
import pathlib
import sys
import unittest

try:
    import jsonschema
except ImportError:
    print("skipped: the Python package jsonschema is not installed")
    sys.exit(77)

RESULTS = pathlib.Path(__file__).resolve().parents[2] / "results"
MEASURED = sorted([*RESULTS.glob("*/*.json"), *RESULTS.glob("*/*.json.gz")])
MEASURED = [path for path in MEASURED if path.parent.name != "schema"]


def content_of(path):
    return json.loads(gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes())


def thinned(value):
    """The same with the first and the last entries of each long list: all are alike, and there are many."""
    if isinstance(value, list):
        return [thinned(entry) for entry in (value if len(value) <= 8 else value[:4] + value[-4:])]
    return {key: thinned(entry) for key, entry in value.items()} if isinstance(value, dict) else value


def schema_of(content):
    """The schema of the file's kind; a kind's first form has one of its own where a file needs it."""
    if "tuneproof" in content:
        version = content["tuneproof"]["schema_version"]
        own = RESULTS / f"schema/results-{version['major']}.{version['minor']}.schema.json"
        return own if own.exists() else RESULTS / "schema/results.schema.json"
    return RESULTS / "schema/selftest.schema.json" if "schema" in content else None  # prices are Google Benchmark's


class ResultsFiles(unittest.TestCase):
    def test_every_file_has_the_form_of_its_kind(self):
        used = set()
        for path in MEASURED:
            content = content_of(path)
            if schema := schema_of(content):
                used.add(schema)
                with self.subTest(path.name):
                    jsonschema.Draft202012Validator(json.loads(schema.read_text())).validate(thinned(content))
        self.assertGreaterEqual(len(used), 2)

    def test_no_schema_of_an_older_version_is_kept_that_no_file_needs(self):
        needed = {schema_of(content_of(path)) for path in MEASURED}
        older = set((RESULTS / "schema").glob("*-[0-9]*.schema.json"))
        self.assertEqual(older - needed, set())

    def test_large_files_are_packed_and_all_of_them_take_3_MB_at_most(self):
        sizes = {path: path.stat().st_size for path in RESULTS.rglob("*") if path.is_file()}
        for path, size in sizes.items():
            self.assertLessEqual(size, 1_000_000, f"{path.name}: gzip -9n {path.name}")
        pages = [size for path, size in sizes.items() if path.name == "README.md"]  # written from the files: a line a row
        self.assertLessEqual(sum(sizes.values()) - sum(pages), 3_000_000)

    def test_a_packed_file_does_not_lie_beside_itself(self):
        for path in MEASURED:
            if path.suffix == ".gz":
                self.assertFalse(path.with_suffix("").exists(), path.name)


if __name__ == "__main__":
    unittest.main()
