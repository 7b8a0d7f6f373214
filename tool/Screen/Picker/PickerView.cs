using Tpwatch.Render.Shared;
using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Widgets;

namespace Tpwatch.Screen.Picker;

/// <summary>The processes to choose from, and why some of them cannot be chosen; a pure function of state and size.</summary>
static class PickerView
{
    /// <summary>Below the list: why the process under the cursor cannot be attached to, and what to do about it.</summary>
    const int WhyRows = 4;

    /// <summary>Header, a blank row, names of the columns and one process: with less there is no room for the reason.</summary>
    const int RoomForWhy = 12;

    const int WideScreen = 100;

    public static CellGrid Of(PickerState state, Look look, int width, int height)
    {
        var grid = new CellGrid(width, height);
        var screen = new Pane(grid, look);
        var shown = state.Shown;
        var cursor = PickerState.CursorIn(shown, state.Pid);
        Header(screen.Rows(0, 1), state, shown.Length);
        Filter(screen.Rows(1, 1), state);
        var why = height >= RoomForWhy ? WhyRows : 0;
        List(screen.Rows(2, height - 3 - why), state, shown, cursor);
        if (why > 0 && cursor >= 0)
        {
            Why(screen.Rows(height - 1 - why, why), shown[cursor]);
        }

        Foot(screen.Rows(height - 1, 1), state);
        return grid;
    }

    static void Header(Pane line, PickerState state, int shown)
    {
        var x = line.Put(1, 0, "tpwatch", Role.Title);
        line.Put(x + 3, 0, "choose a process");
        var all = state.Rows?.Length ?? 0;
        var found = state.Filter.Length > 0
            ? FormattableString.Invariant($"{shown} of {all}")
            : FormattableString.Invariant($"{all} found");
        line.PutEndingAt(line.Width - 1, 0, state.Scanning ? "scanning" : $"{found}  F5 scan", Role.Faint);
    }

    static void Filter(Pane line, PickerState state)
    {
        if (state.Filter.Length > 0 || state.Typing)
        {
            line.Put(line.Put(1, 0, $"/{state.Filter}", Role.Title), 0, ' ', Role.Selection);
        }
    }

    static void List(Pane pane, PickerState state, ImmutableArray<ProcessRow> shown, int cursor)
    {
        if (shown.IsEmpty)
        {
            TextBlock.Draw(pane, [.. TextFit.Wrap(Nothing(state), pane.Width - 2, int.MaxValue).Select(l => new TextLine(l))], 0);
            return;
        }

        new Table<ProcessRow>(pane, Columns(state, pane.Width)).Draw(shown, cursor);
    }

    static string Nothing(PickerState state) =>
        state.Rows is null ? "Looking for .NET processes."
        : state.Failure ?? (state.Filter.Length > 0 ? "No process matches. esc shows all processes."
            : "This user can see no .NET process. To see another user's processes, run as that user or as root. F5 scans again.");

    static IEnumerable<TableColumn<ProcessRow>> Columns(PickerState state, int width)
    {
        static Role Look(ProcessRow row) => row.WhyNot is null ? Role.Text : Role.Faint;
        yield return new("pid", 7, 9, r => r.Pid.ToString(CultureInfo.InvariantCulture)) { Right = true, Role = Look };
        yield return new("runtime", 12, 6, r => r.Runtime is { } v ? $".NET {v}" : "?") { Role = Look };
        yield return new("cpu", 5, 4, r => state.ProcessorUse(r) is { } use ? Format.Percent(use) : "-") { Right = true, Role = Look };
        yield return new("threads", 7, 3, r => r.Threads?.ToString(CultureInfo.InvariantCulture) ?? "?") { Right = true, Role = Look };
        yield return new("age", 8, 2, r => r.AgeMs is { } age ? Age(age) : "?") { Right = true, Role = Look };
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

    static void Why(Pane pane, ProcessRow row)
    {
        TextBlock.Title(pane.Rows(0, 1), FormattableString.Invariant($"{row.Pid} {Words.OneLine(row.Name)}"));
        var text = row.WhyNot is { } why ? string.Join(' ', new[] { why, row.Hint }.OfType<string>())
            : "Enter attaches: one event session, with counter samples once a second. Quitting leaves the process running.";
        var lines = TextFit.Wrap(Words.OneLine(text), pane.Width - 2, pane.Height - 1);
        for (var y = 0; y < lines.Count; y++)
        {
            pane.Put(1, y + 1, lines[y], row.WhyNot is null ? Role.Text : Role.Starvation);
        }
    }

    static void Foot(Pane line, PickerState state)
    {
        if (state.Flash is { } flash)
        {
            line.Put(1, 0, TextFit.Cut(flash, line.Width - 2), Role.Title);
            return;
        }

        var x = 1;
        var keys = PickerKeys.Shown(state).ToList();
        while (keys.Count > 1 && keys.Sum(k => k.Show.Length + k.Does.Length + 3) > line.Width)
        {
            keys.RemoveAt(1);
        }

        foreach (var (show, does) in keys)
        {
            x = line.Put(x, 0, show, Role.KeyName);
            x = line.Put(x + 1, 0, does, Role.Faint) + 2;
        }
    }
}
