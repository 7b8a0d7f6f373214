using System.Diagnostics;
using System.Globalization;
using Tpwatch.LiveTests.Targets;

namespace Tpwatch.LiveTests.Services;

/// <summary>Whatever ends a service ends its database and its load, and takes their folder.</summary>
public sealed class KilledServiceTests
{
    const int LimitMs = 120_000;

    [Theory(Timeout = LimitMs)]
    [InlineData("connection-pool", "postgres")]
    [InlineData("singleton-lock", " load ")]
    public async Task Nothing_of_a_service_that_is_killed_is_left(string scenario, string process)
    {
        Assert.SkipWhen(ServiceRuns.NeedsDatabase(scenario) && !ServiceRuns.HasDatabase, "no PostgreSQL on this machine");
        var cancel = TestContext.Current.CancellationToken;
        var folder = Directory.CreateTempSubdirectory("tpwatch-killed-");
        if (!OperatingSystem.IsWindows())
        {
            // As root the database is another user's, who must get to its folder.
            folder.UnixFileMode |= UnixFileMode.OtherExecute;
        }

        try
        {
            var command = ServiceBuild.Command(TargetRuntime.Net10);
            command.Environment["TMPDIR"] = folder.FullName;
            await using (var target = await FixtureTarget.StartAsync(command, cancel, scenario, "--seconds", "60"))
            {
                await target.BeginAsync();
                await LiveRun.UntilAsync(() => Processes(folder).Any(words => words.Contains(process, StringComparison.Ordinal)), cancel);
                if (scenario == "singleton-lock")
                {
                    Process.GetProcessById(target.Pid).Kill();
                    await LiveRun.UntilAsync(() => !Processes(folder).Any(), cancel);
                }
            }

            await LiveRun.UntilAsync(() => !Processes(folder).Any(), cancel);
            await LiveRun.UntilAsync(() => folder.GetDirectories().Length == 0, cancel);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    // The command lines that name something in the folder, but for those of the shell that keeps it.
    static IEnumerable<string> Processes(DirectoryInfo folder) => SeenProcesses.All
        .Select(pid => SeenProcesses.CommandLine(pid).Replace('\0', ' '))
        .Where(words => words.Contains(folder.FullName, StringComparison.Ordinal)
            && !words.StartsWith("/bin/sh", StringComparison.Ordinal) && !words.Contains("--truth", StringComparison.Ordinal));
}
