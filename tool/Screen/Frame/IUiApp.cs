using Tpwatch.Screen.Canvas;
using Tpwatch.Screen.Keys;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Frame;

/// <summary>What is on the screen and what keys do; knows no terminal. Called by one thread.</summary>
interface IUiApp
{
    /// <summary>Looks for news; whether something that can be seen has changed.</summary>
    bool Tick();

    /// <summary>The frame for a screen of this size; any size from 0x0 up.</summary>
    CellGrid Render(int width, int height);

    /// <summary>A key was pressed.</summary>
    Reply OnKey(KeyPress key);

    /// <summary>
    /// What keys asked to put on the clipboard since the last call, or null; bounded, without control characters but line feeds.
    /// </summary>
    string? TakeClip() => null;
}
