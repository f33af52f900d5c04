# SPDX-License-Identifier: Apache-2.0
"""The recipes under examples/ for fleets and CI systems, executed: their own scripts, by a small executor of
each system's rules, with a scheduler's variables and fake_fp4cts as the binary.

usage: recipes_test.py FAKE_FP4CTS PROJECT_FOLDER
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import yaml  # Debian's python3-yaml

FAKE = None
PROJECT = None
SCHEDULERS = ("SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "FP4CTS_SHARD_COUNT")


class RecipeTest(unittest.TestCase):
    """A folder to work in, and a PATH on which `fp4cts` is the fake with the paths of $PATHS."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fp4cts-recipe-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        tools = self.folder / "bin"
        tools.mkdir()
        (tools / "fp4cts").write_text(
            '#!/bin/sh\ncommand=$1\nshift\n'
            f'if [ "$command $1" = "run --device" ] && [ -n "$PATHS" ]; then set -- "$@" --path "$PATHS"; fi\n'
            f'exec {FAKE} "$command" "$@"\n')
        (tools / "fp4cts").chmod(0o755)
        self.environment = {k: v for k, v in os.environ.items() if k not in SCHEDULERS}
        self.environment["PATH"] = f"{tools}:{os.environ['PATH']}"

    def status(self, command, **variables):
        done = subprocess.run(command, cwd=self.folder, text=True, capture_output=True, timeout=120,
                              env={**self.environment, **variables})
        self.said = done.stdout + done.stderr
        return done.returncode

    def shell(self, command, *, expect, **variables):
        self.assertEqual(self.status(command, **variables), expect, self.said)

    def validate_junit(self, name):
        """Against the schema by which Jenkins' xUnit plug-in takes or refuses a file."""
        self.shell(["xmllint", "--noout", "--nonet", "--schema",
                    str(PROJECT / "harness" / "results" / "tests" / "junit-10.xsd"), name], expect=0)


class FleetTest(RecipeTest):
    def test_slurm_array(self):
        scripts = PROJECT / "examples" / "slurm"
        for paths, expect in (("right", 0), ("right,writes_nothing", 1)):
            variables = {"PATHS": paths, "DEVICE": "cpu", "RESULTS": str(self.folder / paths)}
            for task in (5, 6, 7):
                array = {"SLURM_ARRAY_JOB_ID": "77", "SLURM_ARRAY_TASK_ID": str(task),
                         "SLURM_ARRAY_TASK_MIN": "5", "SLURM_ARRAY_TASK_COUNT": "3"}
                self.shell(["bash", scripts / "fp4cts-shard.sbatch"], expect=0, **variables, **array)
                # A task that is requeued resumes.
                self.shell(["bash", scripts / "fp4cts-shard.sbatch"], expect=0, **variables, **array)
            self.shell(["bash", scripts / "fp4cts-merge.sbatch"], expect=expect, ARRAY="77", **variables)
            merged = self.folder / paths / "77" / "merged" / "results.jsonl"
            self.assertEqual(json.loads(merged.read_text().splitlines()[0])["plan"]["planned"],
                             4 * len(paths.split(",")))

    def test_kubernetes_indexed_job(self):
        def job(name):
            document = yaml.safe_load((PROJECT / "examples" / "kubernetes" / name).read_text())
            [container] = document["spec"]["template"]["spec"]["containers"]
            self.assertEqual(container["command"][:2], ["/bin/sh", "-c"])
            environment = {v["name"]: v["value"] for v in container.get("env", ())}
            script = re.sub(r"(^|[ =])/results", r"\1results", container["command"][2])
            return document["spec"], script.replace("--device cuda:0", "--device cpu"), environment

        spec, script, environment = job("fp4cts-job.yaml")
        self.assertEqual(environment, {"FP4CTS_SHARD_COUNT": str(spec["completions"])})
        for index in range(spec["completions"]):
            self.shell(["sh", "-c", script], expect=0, PATHS="right", JOB_COMPLETION_INDEX=str(index),
                       **environment)
        _, script, environment = job("fp4cts-merge-job.yaml")
        self.shell(["sh", "-c", script], expect=0, PATHS="right", **environment)
        self.assertIn("CONFORMS on cpu: All 4 planned cases gave the expected bytes.", self.said)


class CiTest(RecipeTest):
    """A kernel that conforms, one that fails, and one beside a baseline."""

    # In place of what the recipe judges; writes_nothing is wrong in every case.
    RIGHT = "--device cpu --path right --level smoke"
    WRONG = "--device cpu --path writes_nothing --level smoke"

    def baseline(self, arguments):
        self.status(["fp4cts", "run", *arguments.split(), "--quiet", "--report", "fp4cts-baseline"])

    def check_files(self, *, diffed):
        results = self.folder / "fp4cts-results"
        self.validate_junit(results / "junit.xml")
        self.assertEqual((results / "diff.xml").exists(), diffed)
        if diffed:
            self.validate_junit(results / "diff.xml")

    def test_github_actions(self):
        text = (PROJECT / "examples" / "ci" / "github-actions.yml").read_text()
        workflow = yaml.safe_load(text)
        self.assertEqual(workflow["env"].keys(), {"FP4CTS_ARGUMENTS"})
        [job] = workflow["jobs"].values()
        summary = self.folder / "summary.md"

        def execute(arguments):
            """A step that fails fails the job; later ones run only where they say `always()`. Returns the
            names of those that failed."""
            summary.write_text("")
            failed = []
            for step in job["steps"]:
                condition = step.get("if")
                self.assertIn(condition, (None, "always()"))
                if failed and condition is None:
                    continue
                if "uses" in step:
                    if step["uses"].startswith("actions/upload-artifact@"):
                        self.assertTrue(list((self.folder / step["with"]["path"]).iterdir()))
                    continue
                if self.status(["bash", "-e", "-c", step["run"]], FP4CTS_ARGUMENTS=arguments,
                               GITHUB_STEP_SUMMARY=str(summary)) != 0:
                    failed.append(step["name"])
            return failed

        self.assertEqual(execute(self.RIGHT), [])
        self.assertIn("CONFORMS on cpu", summary.read_text())
        self.check_files(diffed=False)
        self.again()
        self.assertEqual(execute(self.WRONG), ["Judge", "Say what failed on the page of this run"])
        self.assertIn("MISMATCH", summary.read_text())
        self.assertIn("writes_nothing", summary.read_text())
        self.again()
        self.baseline(self.RIGHT)
        self.assertEqual(execute(self.RIGHT), [])
        self.check_files(diffed=True)
        self.again()
        self.assertIn("Compare with the baseline", execute(self.WRONG))
        self.check_files(diffed=True)

    def test_gitlab(self):
        [job] = yaml.safe_load((PROJECT / "examples" / "ci" / "gitlab-ci.yml").read_text()).values()
        self.assertEqual(job["variables"].keys(), {"FP4CTS_ARGUMENTS"})
        self.assertEqual(job["artifacts"]["when"], "always")  # a red job's report is the one to read

        def execute(arguments):
            """The script ends with its first command that fails; after_script runs in any case, in a shell of
            its own, and changes nothing about the job."""
            variables = {"FP4CTS_ARGUMENTS": arguments}
            status = self.status(["bash", "-e", "-o", "pipefail", "-c", "\n".join(job["script"])], **variables)
            self.status(["bash", "-e", "-o", "pipefail", "-c", "\n".join(job["after_script"])], **variables)
            for path in job["artifacts"]["paths"] + job["artifacts"]["reports"]["junit"][:1]:
                self.assertTrue((self.folder / path).exists(), path)
            return status

        self.assertEqual(execute(self.RIGHT), 0)
        self.check_files(diffed=False)
        self.again()
        self.assertEqual(execute(self.WRONG), 1)
        self.assertIn("MISMATCH", (self.folder / "fp4cts-results" / "comment.md").read_text())
        self.check_files(diffed=False)
        self.again()
        self.baseline(self.RIGHT)
        self.assertEqual(execute(self.RIGHT), 0)
        self.check_files(diffed=True)
        [_, diff] = job["artifacts"]["reports"]["junit"]
        self.assertTrue((self.folder / diff).exists())
        self.again()
        self.assertEqual(execute(self.WRONG), 1)
        self.check_files(diffed=True)

    def test_jenkins(self):
        text = (PROJECT / "examples" / "ci" / "Jenkinsfile").read_text()
        self.assertEqual(text.count("{"), text.count("}"))
        stages, post = text.split("post {")
        body = re.findall(r"stage\('([^']+)'\) \{(.*?)\n        \}", stages, re.DOTALL)
        self.assertEqual(len(body), stages.count("stage("))

        def execute(arguments):
            """A stage that fails ends the stages, unless it catches the error, which fails the build at its end;
            `post { always }` is done in any case."""
            status = 0
            for _, stage in body:
                condition = re.search(r"when \{ expression \{ fileExists\('([^']+)'\) \} \}", stage)
                self.assertEqual(condition is None, "when" not in stage)
                if condition and not (self.folder / condition.group(1)).exists():
                    continue
                [command] = re.findall(r"sh '([^']+)'", stage)
                failed = self.status(["sh", "-xe", "-c", command], FP4CTS_ARGUMENTS=arguments)
                status = status or failed
                caught = "catchError(buildResult: 'FAILURE', stageResult: 'FAILURE') {" in stage
                self.assertEqual(caught, "catchError" in stage)
                if failed and not caught:
                    break
            [junit] = re.findall(r"junit '([^']+)'", post)
            [archived] = re.findall(r"archiveArtifacts artifacts: '([^']+)'", post)
            for pattern in (junit, archived):
                self.assertTrue(list(self.folder.glob(pattern)), pattern)
            for file in self.folder.glob(junit):
                self.validate_junit(file)
            return status

        self.assertEqual(execute(self.RIGHT), 0)
        self.again()
        self.assertEqual(execute(self.WRONG), 1)
        self.again()
        self.baseline(self.RIGHT)
        self.assertEqual(execute(self.RIGHT), 0)
        self.check_files(diffed=True)
        self.again()
        self.assertEqual(execute(self.WRONG), 1)
        self.check_files(diffed=True)

    def again(self):
        """As on a fresh checkout."""
        for file in (self.folder / "fp4cts-results").iterdir():
            file.unlink()


if __name__ == "__main__":
    FAKE = os.path.abspath(sys.argv.pop(1))
    PROJECT = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
