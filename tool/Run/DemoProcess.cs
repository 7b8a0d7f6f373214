using System.Diagnostics;
using System.Runtime.InteropServices;
using Tpwatch.Text;

namespace Tpwatch.Run;

/// <summary>The program that the command <c>demo</c> starts. It ends when tpwatch exits.</summary>
sealed class DemoProcess(Process process, string scenario, CommandContext context) : IAsyncDisposable
{
    const string ReadyMark = "READY ";
    const string Assembly = "Tpwatch.Fixtures.dll";
    const string Services = "Tpwatch.Fixtures.Services";

    /// <summary>Name of the scenario that runs the demo services.</summary>
    const string Web = "web";

    /// <summary>Default number of processors for the demo program, so that a demo behaves the same on every machine.</summary>
    const string Processors = "8";

    /// <summary>Maximum wait for the start. It usually takes under a second, but ten times as long on a loaded machine.</summary>
    static readonly TimeSpan StartPatience = TimeSpan.FromSeconds(30);

    readonly Task<string> errors = process.StandardError.ReadToEndAsync(CancellationToken.None);
    Task? draining;

    /// <summary>Starts the demo program. Its scenario waits for <see cref="BeginAsync"/>.</summary>
    public static DemoProcess Start(string[] words, CommandContext context)
    {
        var (assembly, own) = Chosen(words);
        var start = new ProcessStartInfo(DotnetHost.Path())
        {
            RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true, UseShellExecute = false,
        };
        string[] processors = words.Contains("--processors") ? [] : ["--processors", Processors];
        foreach (var word in (string[])[assembly, .. own, .. processors, "--wait-for-enter"])
        {
            start.ArgumentList.Add(word);
        }

        try
        {
            return new(Process.Start(start)!, own[0], context);
        }
        catch (System.ComponentModel.Win32Exception e)
        {
            throw new UserErrorException(
                "no 'dotnet' was found to run the demo program with", "set DOTNET_ROOT, "
                    + "or put dotnet on the PATH", ExitCode.Unsupported, e);
        }
    }

    // Returns the assembly to run and its arguments. Only a clone of the source has the demo services, in a sibling folder.
    static (string Assembly, string[] Own) Chosen(string[] words)
    {
        if (words is not [Web, .. var rest])
        {
            return (Existing(Path.Combine(AppContext.BaseDirectory, Assembly), "this build of tpwatch comes without the demo programs",
                "use the tool package, or a clone of the source"), words);
        }

        var configuration = Path.GetFileName(AppContext.BaseDirectory.TrimEnd(Path.DirectorySeparatorChar));
        var services = Path.Combine(AppContext.BaseDirectory, "..", "..", Services, configuration, Services + ".dll");
        return (Existing(services, "the services of 'demo web' are not built",
            "in a clone of the source: dotnet build fixtures/Services, and dotnet run --project tool -- demo web"),
            rest is [] or [['-', ..], ..] ? words : rest);
    }

    static string Existing(string assembly, string sentence, string hint) =>
        File.Exists(assembly) ? assembly : throw new UserErrorException(sentence, hint, ExitCode.Unsupported);

    /// <summary>
    /// Waits until the demo program is ready; returns its process id. The started process has another id: the program restarts itself.
    /// </summary>
    public async Task<int> ReadyAsync()
    {
        using var patience = new CancellationTokenSource(StartPatience, context.Time);
        using var ends = CancellationTokenSource.CreateLinkedTokenSource(patience.Token, context.Stop);
        try
        {
            while (await process.StandardOutput.ReadLineAsync(ends.Token) is { } line)
            {
                if (line.StartsWith(ReadyMark, StringComparison.Ordinal)
                    && int.TryParse(line.AsSpan(ReadyMark.Length), CultureInfo.InvariantCulture, out var pid))
                {
                    return pid;
                }
            }
        }
        catch (OperationCanceledException) when (patience.IsCancellationRequested)
        {
            throw new UserErrorException(
                $"the scenario '{scenario}' was not ready within {Format.Duration(StartPatience.TotalMilliseconds)}",
                "try again when the machine is less busy", ExitCode.NoSession);
        }

        throw await RefusedAsync();
    }

    /// <summary>Lets the scenario begin. Discards its output, because a full pipe would block the demo program.</summary>
    public async Task BeginAsync()
    {
        try
        {
            await process.StandardInput.WriteAsync("\n");
            await process.StandardInput.FlushAsync(context.Stop);
        }
        catch (IOException e)
        {
            throw new UserErrorException(
                $"the scenario '{scenario}' ended before it began", "'dotnet tpwatch demo' starts it again", ExitCode.NoSession, e);
        }

        draining = process.StandardOutput.BaseStream.CopyToAsync(Stream.Null, CancellationToken.None);
    }

    public async ValueTask DisposeAsync()
    {
        if (!process.HasExited)
        {
            process.Kill(entireProcessTree: true);
        }

        using var patience = new CancellationTokenSource(StartPatience, context.Time);
        await process.WaitForExitAsync(patience.Token);
        await Task.WhenAll(errors, draining ?? Task.CompletedTask).WaitAsync(patience.Token);
        process.Dispose();
    }

    async Task<UserErrorException> RefusedAsync()
    {
        var said = (await errors.WaitAsync(StartPatience, context.Time)).Split(
            '\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        var reason = said.Length > 0 ? Sentence.Without("fixtures: ", said[0]) : "it ended without a message";
        return new($"the scenario '{scenario}' did not start: {reason}",
            said.Length > 1 ? Sentence.Without("Hint: ", said[1]) : "'dotnet tpwatch demo' without a "
                + "name runs the default scenario", ExitCode.Arguments);
    }
}

/// <summary>Finds the <c>dotnet</c> host, the executable that runs .NET assemblies.</summary>
static class DotnetHost
{
    /// <summary>Relative path from the runtime's folder (shared/Microsoft.NETCore.App/8.0.0) up to the folder of the host.</summary>
    const string FromRuntime = "../../..";

    /// <summary>Returns DOTNET_HOST_PATH, else the host that runs tpwatch, else the host of its runtime, else <c>dotnet</c>.</summary>
    public static string Path()
    {
        string?[] candidates =
        [
            Environment.GetEnvironmentVariable("DOTNET_HOST_PATH"),
            IsHost(Environment.ProcessPath) ? Environment.ProcessPath : null,
            System.IO.Path.GetFullPath(System.IO.Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), FromRuntime, FileName)),
        ];
        return candidates.FirstOrDefault(File.Exists) ?? FileName;
    }

    static string FileName => OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet";

    static bool IsHost(string? path) => System.IO.Path.GetFileNameWithoutExtension(path) == "dotnet";
}
