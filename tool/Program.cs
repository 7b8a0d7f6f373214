using Tpwatch.Cli;
using Tpwatch.Inside;
using Tpwatch.Run;
using Tpwatch.Serve;

namespace Tpwatch;

/// <summary>The entry point: parses the command line, runs it, and turns every failure into a message and an exit code.</summary>
static class Program
{
    // Loading assemblies needs many open files, so the limit of open files is checked first. --version and the child process need no check.
    static Task<int> Main(string[] args) =>
        args is [MemoryReaderLauncher.Verb, .. var words] ? Task.FromResult(ReadInside(words))
        : args.Contains(ServeCommand.Verb) && AspNetCoreLoadContext.Run(args) is { } code ? Task.FromResult(code)
        : args is ["--version"] || OpenFileLimit.Suffice() ? StartAsync(args) : Task.FromResult((int)ExitCode.NoSession);

    // Reads memory as the child process of another tpwatch. The help does not list this verb, because users do not call it.
    static int ReadInside(string[] words) =>
        words switch
        {
            [MemoryReaderLauncher.Dump, var file] => MemoryReaderMain.ReadDump(file, Console.Out, Console.Error),
            [var pid, ..] => int.TryParse(pid, CultureInfo.InvariantCulture, out var number)
                && MemoryReaderMain.ReadProcess(number, words.Contains(MemoryReaderLauncher.Scan), Console.Out, Console.Error),
            _ => false,
        } ? (int)ExitCode.Done : (int)ExitCode.NoSession;

    static async Task<int> StartAsync(string[] args)
    {
        using var signals = new StopSignals(Environment.Exit);
        var (output, error) = (ResultStream.Standard(), ErrorStream.Standard());
        var context = new CommandContext(
            new LiveEngine(), output, error, TerminalFacts.OfThisProcess(), TimeProvider.System, signals.Stop)
        {
            Screen = TerminalScreen.ShowAsync,
            Waiting = TerminalScreen.WaitAsync,
            Picker = TerminalPicker.PickAsync,
        };
        return await RunAsync(args, context);
    }

    /// <summary>Runs a command line with the given engine, streams and terminal.</summary>
    internal static async Task<int> RunAsync(string[] args, CommandContext context)
    {
        try
        {
            return await CommandLine.RunAsync(args, context);
        }
        catch (UserErrorException e)
        {
            return Say(context, e);
        }
        catch (OutputClosedException)
        {
            return (int)ExitCode.Done;
        }
        catch (OperationCanceledException) when (context.Stop.IsCancellationRequested)
        {
            return Say(context, new UserErrorException("stopped before a session began", "tpwatch changed no process", ExitCode.NoSession));
        }
        catch (Exception e)
        {
            context.Note($"this is a bug in tpwatch {ToolVersion.Text}\n{e}");
            return (int)ExitCode.Bug;
        }
    }

    static int Say(CommandContext context, UserErrorException e)
    {
        context.Note(e.Message, e.Hint);
        return (int)e.ExitCode;
    }
}
