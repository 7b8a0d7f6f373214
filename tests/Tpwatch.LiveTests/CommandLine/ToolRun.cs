using System.Diagnostics;
using System.Reflection;
using Tpwatch.Core;
using Tpwatch.Lab;

namespace Tpwatch.LiveTests.CommandLine;

/// <summary>The built tool run as a process, in a time that it must not exceed.</summary>
sealed record ToolRun(int Code, string Out, string Error)
{
    /// <summary>
    /// Only ends what hangs: nothing is shown by it. A loaded machine may take 10 s to start the tool, whose look comes after that.
    /// </summary>
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(90);

    /// <summary>Runs the tool with arguments; standard input is empty.</summary>
    public static Task<ToolRun> Of(params string[] args) => Of(BuiltPrograms.Host, [Tool, .. args]);

    /// <summary>Runs the tool through a shell, <c>$T</c> being the tool.</summary>
    public static Task<ToolRun> Shell(string script) =>
        Of("/bin/sh", ["-c", $"T() {{ '{BuiltPrograms.Host}' '{Tool}' \"$@\"; }}; {script}"]);

    /// <summary>Runs the tool as somebody who owns nothing.</summary>
    public static Task<ToolRun> AsNobody(params string[] args) =>
        Of("setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", BuiltPrograms.Host, Tool, .. args]);

    /// <summary>One sentence, one hint, nothing else: no stack trace, no help, no result.</summary>
    public void IsFailure(int code, string word)
    {
        var lines = Error.TrimEnd('\n').Split('\n');
        Assert.True(Code == code, $"code {Code} instead of {code}:\n{Error}");
        Assert.StartsWith("tpwatch: ", lines[0], StringComparison.Ordinal);
        Assert.Contains(word, lines[0], StringComparison.OrdinalIgnoreCase);
        Assert.True(lines.Length >= 2 && lines[1].StartsWith("  ", StringComparison.Ordinal), $"no hint:\n{Error}");
        Assert.DoesNotContain("   at ", Error, StringComparison.Ordinal);
        Assert.DoesNotContain("Usage:", Error, StringComparison.Ordinal);
        Assert.Empty(Out);
    }

    /// <summary>Runs another program, in the same time.</summary>
    public static Task<ToolRun> Program(string program, params string[] args) => Of(program, args);

    /// <summary>The tool as the package for this machine has it.</summary>
    public static string Tool { get; } = Path.GetFullPath(
        typeof(ToolRun).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(a => a.Key == "DeliveredTool").Value!);

    static Task<ToolRun> Of(string program, string[] args) => Of(new(program, args), Limit, TestContext.Current.CancellationToken);

    /// <summary>Runs what is made ready, in a time of its own; the process id is told as soon as there is one.</summary>
    public static async Task<ToolRun> Of(ProcessStartInfo start, TimeSpan longest, CancellationToken cancel, Action<int>? started = null)
    {
        (start.RedirectStandardInput, start.RedirectStandardOutput, start.RedirectStandardError) = (true, true, true);
        using var process = Process.Start(start)!;
        started?.Invoke(process.Id);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        limit.CancelAfter(longest);
        try
        {
            process.StandardInput.Close();
            var texts = await Task.WhenAll(
                process.StandardOutput.ReadToEndAsync(limit.Token), process.StandardError.ReadToEndAsync(limit.Token));
            await process.WaitForExitAsync(limit.Token);
            // No test wants a bug, and which one it was stands there.
            Assert.True(process.ExitCode != (int)ExitCode.Bug, texts[1]);
            return new(process.ExitCode, texts[0], texts[1]);
        }
        finally
        {
            if (!process.HasExited)
            {
                process.Kill(entireProcessTree: true);
            }
        }
    }
}
