using System.Text;
using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Screen.Drawing;

/// <summary>Eight dots a cell, two across and four up. What is drawn first gives the cell its colour.</summary>
sealed class DotCanvas(int width, int height)
{
    const int BrailleBlank = 0x2800;

    /// <summary>Bits of the two columns of a cell, from the bottom up.</summary>
    static readonly int[][] Bits = [[0x40, 0x04, 0x02, 0x01], [0x80, 0x20, 0x10, 0x08]];

    readonly (int Dots, Role Role)[] cells = new (int, Role)[width * height];

    public int Rows => height * 4;

    /// <summary>Sets a dot, counted from the left and from the bottom.</summary>
    public void Set(int x, int y, Role role)
    {
        var (column, row) = (x / 2, height - 1 - y / 4);
        if (x < 0 || y < 0 || column >= width || row < 0)
        {
            return;
        }

        ref var cell = ref cells[row * width + column];
        cell = (cell.Dots | Bits[x % 2][y % 4], cell.Dots == 0 ? role : cell.Role);
    }

    /// <summary>Sets all dots between two heights.</summary>
    public void Rise(int x, int from, int to, Role role)
    {
        for (var y = Math.Max(0, Math.Min(from, to)); y <= Math.Min(Rows - 1, Math.Max(from, to)); y++)
        {
            Set(x, y, role);
        }
    }

    public void PutOn(Pane plot)
    {
        for (var i = 0; i < cells.Length; i++)
        {
            if (cells[i].Dots != 0)
            {
                plot.Put(i % width, i / width, new Rune(BrailleBlank + cells[i].Dots), cells[i].Role);
            }
        }
    }
}
