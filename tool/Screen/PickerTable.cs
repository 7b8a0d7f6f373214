using Tpwatch.Screen.State;
using Tpwatch.Screen.Views;
using Tpwatch.Text;

namespace Tpwatch.Screen;

/// <summary>The processes to choose from as rows, and why some of them cannot be chosen.</summary>
static class PickerTable
{
    const int WideScreen = 100;

    /// <summary>How many processes there are, and whether they are looked for.</summary>
    public static string Count(PickerState state)
    {
        var (all, shown) = (state.Rows?.Length ?? 0, state.Shown.Length);
        return state.Scanning ? "scanning" : state.Filter.Length > 0 ? FormattableString.Invariant($"{shown} of {all}")
            : FormattableString.Invariant($"{all} found  F5 scan");
    }

    /// <summary>What is said where there is no row.</summary>
    public static string Nothing(PickerState state) =>
        state.Rows is null ? "Looking for .NET processes."
        : state.Failure ?? (state.Filter.Length > 0 ? "No process matches. esc shows all processes."
            : "This user can see no .NET process. To see another user's processes, run as that user or as root. F5 scans again.");

    /// <summary>The processes as rows.</summary>
    public static IEnumerable<TableColumn<ProcessRow>> Columns(PickerState state, int width)
    {
        static Role Look(ProcessRow row) => row.WhyNot is null ? Role.Text : Role.Faint;
        yield return new("pid", 7, 9, r => r.Pid.ToString(CultureInfo.InvariantCulture)) { Right = true, Role = Look, Rank = r => r.Pid };
        yield return new("verdict", 16, 8, r => state.VerdictOf(r)) { Role = r => state.IsTrouble(r) ? Role.Starvation : Look(r) };
        yield return new("runtime", 12, 6, r => r.Runtime is { } v ? $".NET {v}" : "?") { Role = Look };
        yield return new("cpu", 5, 4, r => state.ProcessorUse(r) is { } use ? Format.Percent(use) : "-")
        {
            Right = true, Role = Look, Rank = r => state.ProcessorUse(r) ?? double.NaN,
        };
        yield return new("threads", 7, 3, r => r.Threads?.ToString(CultureInfo.InvariantCulture) ?? "?")
        {
            Right = true, Role = Look, Rank = r => r.Threads ?? double.NaN,
        };
        yield return new("age", 8, 2, r => r.AgeMs is { } age ? Age(age) : "?")
        {
            Right = true, Role = Look, Rank = r => r.AgeMs ?? double.NaN,
        };
        yield return new("user", width >= WideScreen ? 12 : 8, 1, r => r.User ?? "?") { Role = Look };
        yield return new("name and command", 0, 10, Text)
        {
            Role = Look,
            IsProse = r => r.WhyNot is not null,
            Brief = r => r.WhyNot is null ? Text(r) : $"{r.Name}: cannot watch",
        };
    }

    static string Text(ProcessRow row)
    {
        var command = PickerState.Command(row);
        return row.WhyNot is { } why
            ? $"{row.Name}: {Without(FormattableString.Invariant($"Process {row.Pid} ({row.Name}) "), Words.OneLine(why))}"
            : command.Contains(row.Name, StringComparison.Ordinal) ? command : $"{row.Name}  {command}";
    }

    // The row says already which process it is.
    static string Without(string beginning, string text) =>
        text.StartsWith(beginning, StringComparison.Ordinal) ? text[beginning.Length..] : text;

    // As coarse as it may be: which of two was started just now is the question.
    static string Age(double ms) => ms switch
    {
        < 60_000 => FormattableString.Invariant($"{(long)(ms / 1000)} s"),
        < 3_600_000 => FormattableString.Invariant($"{(long)(ms / 60_000)} min"),
        < 172_800_000 => FormattableString.Invariant($"{(long)(ms / 3_600_000)} h"),
        _ => FormattableString.Invariant($"{(long)(ms / 86_400_000)} d"),
    };

    /// <summary>What Enter does with a process, or why it cannot be watched.</summary>
    public static IEnumerable<TextLine> Why(ProcessRow row, PickerState state, int width) => TextFit.Wrap(Words.OneLine(
            row.WhyNot is { } why ? string.Join(' ', new[] { why, row.Hint }.OfType<string>())
            : "Enter attaches: one event session, with counter samples once a second. Quitting leaves the process running."
                + (state.SaidOf(row) is { } said ? $" {said}" : "")), width, int.MaxValue)
        .Select(l => new TextLine(l, row.WhyNot is null ? Role.Text : Role.Starvation));
}
