using System.CommandLine;
using System.CommandLine.Completions;
using System.CommandLine.Invocation;
using System.CommandLine.Parsing;
using Tpwatch.Export;
using Tpwatch.Run;

namespace Tpwatch.Cli;

/// <summary>The command <c>completion</c>: prints the script with which a shell asks tpwatch for completions.</summary>
sealed class CompletionCommand(CommandContext context)
{
    static readonly string[] Shells = ["bash", "zsh", "fish", "pwsh"];

    readonly Argument<string?> shell = new("SHELL")
    {
        Description = "bash, zsh, fish or pwsh.",
        Arity = ArgumentArity.ExactlyOne,
        CompletionSources = { Shells },
        CustomParser = result => Shells.Contains(OptionKinds.Text(result), StringComparer.Ordinal)
            ? OptionKinds.Text(result)
            : OptionKinds.Refuse<string?>(
                result, $"there is no completion for '{OptionKinds.Text(result)}'", $"choose one of {string.Join(", ", Shells)}"),
    };

    public Command Create() =>
        new Command("completion", "Print a script that completes commands, options, processes and finding ids in a shell.")
        .With([shell]).Does(parse =>
        {
            context.Out.Write(EmbeddedFiles.Completion(parse.GetValue(shell)!));
            return Task.FromResult((int)ExitCode.Done);
        });
}

/// <summary>
/// Prints the words that can follow the command line typed so far, for the completion script of a shell. Each line contains a word, and a
/// tab and a description if there is one. If tpwatch prints nothing, the shell completes file names.
/// </summary>
sealed class SuggestDirectiveAction(CommandContext context) : AsynchronousCommandLineAction
{
    /// <summary>Maximum length of a description in columns: what remains of 80 columns after the longest word.</summary>
    const int MostAbout = 60;

    /// <summary>Always true: parse errors are ignored, because the line is still being typed.</summary>
    public override bool ClearsParseErrors => true;

    public override async Task<int> InvokeAsync(ParseResult parse, CancellationToken cancellationToken = default)
    {
        var line = parse.Tokens.LastOrDefault(t => t.Type != TokenType.Directive)?.Value ?? "";
        var at = line.LastIndexOf(' ') + 1;
        var (before, word) = (line[..at], line[at..]);
        // If the last word is a list with commas, only the last value of the list is completed.
        var list = word[..(word.LastIndexOf(',') + 1)];
        foreach (var item in await FoundAsync(parse.RootCommandResult.Command, before, word, cancellationToken))
        {
            if ((list + item.Label).StartsWith(word, StringComparison.OrdinalIgnoreCase))
            {
                await context.Out.WriteLineAsync($"{list}{item.Label}{(item.Detail is { } about ? $"\t{Brief(about)}" : "")}");
            }
        }

        return (int)ExitCode.Done;
    }

    async Task<IEnumerable<CompletionItem>> FoundAsync(Command root, string before, string word, CancellationToken cancel)
    {
        var words = before.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        var command = root.Parse(words, new() { ResponseFileTokenReplacer = null }).CommandResult.Command;
        // The words after "--" are a launched program and its arguments, which tpwatch cannot complete.
        return words.Contains("--") ? []
            : words is [.., var last] && command.Options.FirstOrDefault(o => TakesValue(o) && Spellings(o).Contains(last)) is { } option
                ? await ValuesAsync(option, cancel)
            : word.StartsWith('-') || command is { Subcommands: [], Arguments: [] }
                ? command.Options.SelectMany(o => Spellings(o).Select(name => new CompletionItem(name, detail: o.Description)))
            :
            [
                .. command.Subcommands.Select(c => new CompletionItem(c.Name, detail: c.Description)),
                .. command.Arguments.SelectMany(a => a.CompletionSources).SelectMany(known => known(CompletionContext.Empty)),
            ];
    }

    async Task<IEnumerable<CompletionItem>> ValuesAsync(Option option, CancellationToken cancel)
    {
        if (option.Name is not ("--process-id" or "--name" or "--except"))
        {
            return option.CompletionSources.SelectMany(known => known(CompletionContext.Empty));
        }

        var open = (await context.Engine.FindAsync(cancel)).Where(row => row.WhyNot is null);
        return option.Name == "--process-id"
            ? open.Select(row => new CompletionItem(row.Pid.ToString(CultureInfo.InvariantCulture), detail: row.Name))
            // Leaves out names with special characters: a process chooses its own name, and a shell would interpret these characters.
            : open.Select(row => row.Name).Where(name => name.All(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '-' or '_'))
                .Distinct().Select(name => new CompletionItem(name));
    }

    static bool TakesValue(Option option) => option.Arity.MaximumNumberOfValues > 0 && option.ValueType != typeof(bool);

    static IEnumerable<string> Spellings(Option option) => option.Aliases.Append(option.Name).Where(name => name is ['-', ..] and not "-?");

    static string Brief(string about)
    {
        var text = Words.OneLine(about);
        return text.Length <= MostAbout ? text : text[..(MostAbout - 3)] + "...";
    }
}
