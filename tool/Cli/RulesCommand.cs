using System.CommandLine;
using System.CommandLine.Completions;
using Tpwatch.Diagnosis;
using Tpwatch.Export;
using Tpwatch.Run;
using Tpwatch.Text;

namespace Tpwatch.Cli;

/// <summary>The command <c>rules</c>: explains the finding rules and the injection delay codes.</summary>
sealed class RulesCommand(CommandContext context)
{
    readonly Argument<string?> id = new("ID")
    {
        Description = "The id of a finding or of a rule of the runtime, such as TPW003 or G7 (default: list all).",
        Arity = ArgumentArity.ZeroOrOne,
        CompletionSources =
        {
            _ => FindingCatalogue.Findings.Concat(DelayWords.Codes).Select(e => new CompletionItem(e.Id, detail: e.Title)),
        },
    };

    readonly Option<string?> format = OptionKinds.Choice("--format", "Output format", "text", "json");

    public Command Create() => new Command(
            "rules", "Explain every finding and every rule of the runtime: mechanism, evidence needed, remedy, false alarms.")
        .With([id, format]).Does(Run);

    Task<int> Run(ParseResult parse)
    {
        var entry = parse.GetValue(id) is { } asked ? FindingCatalogue.Find(asked) ?? throw Unknown(asked) : null;
        context.Out.Write(parse.GetValue(format) == "json" ? Json(entry) : Text(entry));
        context.Out.Flush();
        return Task.FromResult((int)ExitCode.Done);
    }

    static string Text(FindingCatalogueEntry? entry) =>
        entry is null ? RuleTextRenderer.List(FindingCatalogue.Findings, DelayWords.Codes) : RuleTextRenderer.Detail(entry);

    static string Json(FindingCatalogueEntry? entry) => RulesDocument.Render(
        FindingCatalogue.Findings.Where(e => entry is null || e == entry), DelayWords.Codes.Where(e => entry is null || e == entry));

    static UserErrorException Unknown(string asked)
    {
        var hint = Meant(asked) is { } near ? $"did you mean '{near.Id}' ({near.Title})?"
            : "'dotnet tpwatch rules' lists all findings and rules";
        return new($"there is no finding or rule '{asked}'", hint, ExitCode.Arguments);
    }

    // Returns the entry with the most similar id, or else an entry with this text in its title; null if there is neither.
    static FindingCatalogueEntry? Meant(string asked)
    {
        var all = FindingCatalogue.Findings.Concat(DelayWords.Codes).ToList();
        var byNumber = all.OrderBy(e => Math.Abs(Number(e.Id) - Number(asked))).ToList();
        return CommandLineErrors.Nearest(asked, byNumber.Select(e => e.Id)) is { } near ? all.Find(e => e.Id == near)
            : asked.Length > 2 ? all.Find(e => e.Title.Contains(asked, StringComparison.OrdinalIgnoreCase))
            : null;
    }

    static long Number(string id) => long.TryParse(string.Concat(id.Where(char.IsAsciiDigit).Take(9)), out var number) ? number : 0;
}
