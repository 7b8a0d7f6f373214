using System.Diagnostics;

namespace Tpwatch.LiveTests.Packaging;

/// <summary>What the README tells a user to type to install the tool and to run it first, typed.</summary>
[Collection(PackagingCollection.Name)]
public sealed class ReadmeInstallTests(PackedTool packed) : OfPackages
{
    const int LimitMs = 300_000;

    static readonly TimeSpan LineLimit = TimeSpan.FromMinutes(4);

    [Fact(Timeout = LimitMs)]
    public async Task Installing_and_the_first_run_work_as_written()
    {
        string[] lines = [.. ReadmeCommands.AfterPacking(packed.Folder)];
        Assert.Contains(lines, line => line.StartsWith("dotnet tool install ", StringComparison.Ordinal));
        Assert.Contains(lines, line => line.StartsWith("dotnet tpwatch", StringComparison.Ordinal));
        foreach (var line in lines)
        {
            var (exit, output) = await SdkRun.OfAsync(Typed(line), LineLimit, TestContext.Current.CancellationToken);
            Assert.True(exit == 0, $"{line}\n{output}");
        }

        Assert.True(File.Exists(Path.Combine(Tools, "dotnet-tpwatch")), "the README's tool is not where global tools lie");
    }

    /// <summary>Somebody's home, in which nothing is installed.</summary>
    string Home => Path.Combine(packed.Folder, "home");

    string Tools => Path.Combine(Home, ".dotnet", "tools");

    ProcessStartInfo Typed(string line)
    {
        var start = new ProcessStartInfo("/bin/sh", ["-c", line]) { WorkingDirectory = SourceBuild.Root };
        start.Environment["DOTNET_CLI_HOME"] = Home;
        start.Environment["PATH"] = Tools + Path.PathSeparator + Environment.GetEnvironmentVariable("PATH");
        return start;
    }
}
