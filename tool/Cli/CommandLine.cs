using System.CommandLine;
using System.CommandLine.Completions;
using System.CommandLine.Help;
using Tpwatch.Options;
using Tpwatch.Run;

namespace Tpwatch.Cli;

/// <summary>The verbs put together, and what somebody typed handed to one of them.</summary>
static class CommandLine
{
    /// <summary>Runs what was asked for; the exit code.</summary>
    /// <exception cref="ForeseenException">Foreseen failures, mistyped arguments among them.</exception>
    public static async Task<int> RunAsync(string[] args, CommandContext context)
    {
        // Making all verbs with their options takes longer than the rest of this answer.
        if (args is ["--version"])
        {
            await context.Out.WriteLineAsync(ToolVersion.Whole);
            await context.Out.FlushAsync(CancellationToken.None);
            return (int)ExitCode.Done;
        }

        var (own, command) = Split(args);
        context = context with { Command = command };
        // A name may begin with '@': no response files.
        var parse = Root(context).Parse(own, new ParserConfiguration { ResponseFileTokenReplacer = null });
        if (parse.Errors.Count > 0 && !AsksForHelp(parse))
        {
            throw Mistyped.Explain(parse);
        }

        Mistyped.RefuseBeforeVerb(parse);
        Mistyped.RefuseCommand(parse, context.Command);

        // Stopping is ours: the library would end the process before a session is closed.
        var configuration = new InvocationConfiguration
        {
            Output = context.Out, Error = context.Error, EnableDefaultExceptionHandler = false, ProcessTerminationTimeout = null,
        };
        var code = await parse.InvokeAsync(configuration, CancellationToken.None);
        await context.Out.FlushAsync(CancellationToken.None);
        return code;
    }

    // What stands after "--" belongs to the program that it names, whatever it looks like.
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
        root.Subcommands.Add(new DemoCommand(context).Create());
        root.Subcommands.Add(new CompletionCommand(context).Create());
        root.Subcommands.Add(new HelpCommand(context).Create());
        root.Options.OfType<HelpOption>().Single().Action = new HelpPage(context);
        root.Directives.OfType<SuggestDirective>().Single().Action = new Suggestions(context);
        return root;
    }

    static bool AsksForHelp(ParseResult parse) => parse.Action is HelpPage or Suggestions;
}
