using System.Diagnostics;
using System.Text.RegularExpressions;

namespace Tpwatch.LiveTests.Packaging;

/// <summary>The steps of deploy/github/action.yml as GitHub's runner runs them: by a shell, with the inputs in its environment.</summary>
[Collection(PackagingCollection.Name)]
public sealed partial class GithubActionTests(PackedTool packed) : OfPackages
{
    const int LimitMs = 300_000;

    static readonly TimeSpan StepLimit = TimeSpan.FromMinutes(4);

    static string Recordings => Path.Combine(SourceBuild.Root, "tests", "Recordings");

    [Fact(Timeout = LimitMs)]
    public async Task It_fails_on_starvation_and_on_nothing_else()
    {
        var file = Path.Combine(SourceBuild.Root, "deploy", "github", "action.yml");
        var page = (await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken)).ReplaceLineEndings("\n");
        var steps = Steps.Matches(page).Select(step => Indent.Replace(step.Groups["script"].Value, "")).ToArray();
        Assert.Equal(2, steps.Length);
        Assert.Equal(Inputs.Matches(page).Select(input => input.Groups["name"].Value).Order(StringComparer.Ordinal),
            Used.Matches(page).Select(input => input.Groups["name"].Value).Distinct().Order(StringComparer.Ordinal));
        var runner = Directory.CreateDirectory(Path.Combine(packed.Folder, "runner")).FullName;

        Assert.Equal(0, (await RunAsync(steps[0], runner, ("SOURCE", packed.Folder))).Exit);
        await WatchAsync(10, "STARVED", "--fail-on starvation is met", ("RECORDING", Path.Combine(Recordings, "pool-burst.nettrace")));
        await WatchAsync(0, "HEALTHY", "", ("RECORDING", Path.Combine(Recordings, "healthy-burst.nettrace")));
        // Items that are held for seconds: the runtime's own detection sees this starvation.
        await WatchAsync(10, "STARVED", "is met",
            ("COMMAND", $"dotnet {Path.Combine(packed.Installed, "Tpwatch.Fixtures.dll")} pool-burst --items 30 --hold 3000"));

        async Task WatchAsync(int code, string verdict, string annotation, (string Name, string Value) input)
        {
            var (exit, output) = await RunAsync(steps[1], runner, input, ("FAIL_ON", "starvation"));
            Assert.True(exit == code, output);
            Assert.Contains(annotation, output, StringComparison.Ordinal);
            Assert.Contains($"## {verdict}", await TakeAsync("summary"), StringComparison.Ordinal);
            Assert.Equal($"exit-code={code}\n", await TakeAsync("output"));
        }

        async Task<string> TakeAsync(string name)
        {
            var text = await File.ReadAllTextAsync(Path.Combine(runner, name), TestContext.Current.CancellationToken);
            File.Delete(Path.Combine(runner, name));
            return text;
        }
    }

    static Task<(int Exit, string Output)> RunAsync(string script, string runner, params (string Name, string Value)[] inputs)
    {
        var start = new ProcessStartInfo("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script]) { WorkingDirectory = runner };
        (start.Environment["RUNNER_TEMP"], start.Environment["NUGET_PACKAGES"]) = (runner, Path.Combine(runner, "cache"));
        (start.Environment["GITHUB_STEP_SUMMARY"], start.Environment["GITHUB_OUTPUT"]) =
            (Path.Combine(runner, "summary"), Path.Combine(runner, "output"));
        foreach (var (name, value) in ((string, string)[])[("SOURCE", ""), ("COMMAND", ""), ("RECORDING", ""), .. inputs])
        {
            start.Environment[name] = value;
        }

        return SdkRun.OfAsync(start, StepLimit, TestContext.Current.CancellationToken);
    }

    [GeneratedRegex(@"^      run: \|\n(?<script>(?: {8}.*\n)+)", RegexOptions.Multiline)]
    static partial Regex Steps { get; }

    [GeneratedRegex(@"^ {8}", RegexOptions.Multiline)]
    static partial Regex Indent { get; }

    [GeneratedRegex(@"^  (?<name>[a-z-]+):\n    description: .*\n    default: ", RegexOptions.Multiline)]
    static partial Regex Inputs { get; }

    [GeneratedRegex(@"^        [A-Z_]+: \$\{\{ inputs\.(?<name>[a-z-]+) \}\}$", RegexOptions.Multiline)]
    static partial Regex Used { get; }
}
