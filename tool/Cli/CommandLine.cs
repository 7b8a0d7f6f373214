using System.CommandLine;
using System.CommandLine.Completions;
using System.CommandLine.Help;
using Tpwatch.Options;
using Tpwatch.Run;

namespace Tpwatch.Cli;

/// <summary>Builds the commands, parses the command line, and runs the command that it names.</summary>
static class CommandLine
{
    /// <summary>Runs the command line; returns the exit code.</summary>
    /// <exception cref="UserErrorException">A foreseen failure, such as a mistyped argument.</exception>
    public static async Task<int> RunAsync(string[] args, CommandContext context)
    {
        // Answered first, because building all commands with their options takes longer than this answer.
        if (args is ["--version"])
        {
            await context.Out.WriteLineAsync(ToolVersion.Whole);
            await context.Out.FlushAsync(CancellationToken.None);
            return (int)ExitCode.Done;
        }

        var (own, command) = Split(args);
        context = context with { Command = command };
        // Response files are off, because a process name may begin with '@'.
        var parse = Root(context).Parse(own, new ParserConfiguration { ResponseFileTokenReplacer = null });
        if (parse.Errors.Count > 0 && !AsksForHelp(parse))
        {
            throw Mistyped.Explain(parse);
        }

        Mistyped.RefuseBeforeVerb(parse);
        Mistyped.RefuseCommand(parse, context.Command);

        // tpwatch handles signals itself, because the library would end the process before tpwatch has closed its session.
        var configuration = new InvocationConfiguration
        {
            Output = context.Out, Error = context.Error, EnableDefaultExceptionHandler = false, ProcessTerminationTimeout = null,
        };
        var code = await parse.InvokeAsync(configuration, CancellationToken.None);
        await context.Out.FlushAsync(CancellationToken.None);
        return code;
    }

    // All words after "--" belong to the launched program, even if they look like options.
    static (string[] Own, string[]? Command) Split(string[] args) =>
        Array.IndexOf(args, "--") is >= 0 and var at ? (args[..at], args[(at + 1)..]) : (args, null);

    static RootCommand Root(CommandContext context)
    {
        var root = new WatchCommand(context).Create();
        root.Subcommands.Add(new PsCommand(context).Create());
        root.Subcommands.Add(new ReportCommand(context).Create());
        root.Subcommands.Add(new RecordCommand(context).Create());
        root.Subcommands.Add(new ReplayCommand(context).Create());
        root.Subcommands.Add(new RulesCommand(context).Create());
        root.Subcommands.Add(new WhatIfCommand(context).Create());
        root.Subcommands.Add(new CompareCommand(context).Create());
        root.Subcommands.Add(new ServeCommand(context).Create());
        root.Subcommands.Add(new McpCommand(context).Create());
        root.Subcommands.Add(new DemoCommand(context).Create());
        root.Subcommands.Add(new CompletionCommand(context).Create());
        root.Subcommands.Add(new HelpCommand(context).Create());
        root.Options.OfType<HelpOption>().Single().Action = new HelpPage(context);
        root.Directives.OfType<SuggestDirective>().Single().Action = new Suggestions(context);
        return root;
    }

    static bool AsksForHelp(ParseResult parse) => parse.Action is HelpPage or Suggestions;
}
