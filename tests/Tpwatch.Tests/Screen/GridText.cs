using System.Text;
using Tpwatch.Screen.Commands;
using Tpwatch.Text;

namespace Tpwatch.Tests.Screen;

/// <summary>A grid as a text file: what is written, and below it how each cell looks, one letter a look; a field is underlined.</summary>
static class GridText
{
    public static string Of(CellGrid grid, Theme theme)
    {
        var looks = Enum.GetValues<Role>().GroupBy(r => theme[r])
            .ToDictionary(g => g.Key, g => (Letter: Letter(g.First()), Roles: g.ToList()));
        var text = new StringBuilder(grid.ToString()).Append('=', grid.Width).Append('\n');
        for (var y = 0; y < grid.Height; y++)
        {
            for (var x = 0; x < grid.Width; x++)
            {
                var cell = grid[x, y];
                text.Append(cell == Cell.Blank ? ' ' : looks.TryGetValue(cell.Style, out var look) ? look.Letter : '_');
            }

            text.Append('\n');
        }

        foreach (var (style, (letter, roles)) in looks.OrderBy(l => l.Value.Letter))
        {
            text.Append(FormattableString.Invariant($"{letter} {Colour(style.Fg)} {style.Attr}: {string.Join(' ', roles)}\n"));
        }

        return text.ToString();
    }

    static string Colour(int colour) =>
        colour == Tpwatch.Screen.Commands.Colour.Own ? "own" : Tpwatch.Screen.Commands.Colour.IsPalette(colour, out var index)
            ? FormattableString.Invariant($"palette {index}") : FormattableString.Invariant($"#{colour:X6}");

    static char Letter(Role role) => role switch
    {
        Role.Text => '.',
        Role.Title => 't',
        Role.Threads => 'h',
        Role.Climbing => 'y',
        Role.Cpu => 'p',
        Role.Selection => 's',
        Role.Starvation => 'S',
        Role.Alarm => '!',
        _ => char.ToLowerInvariant(role.ToString()[0]),
    };
}
