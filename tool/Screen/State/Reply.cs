namespace Tpwatch.Screen.State;

/// <summary>What a key did.</summary>
enum Reply
{
    /// <summary>The key means nothing here.</summary>
    Ignored,

    /// <summary>Something may look different now.</summary>
    Handled,

    /// <summary>Draw everything anew: the terminal's content is not to be trusted.</summary>
    Redraw,

    /// <summary>Leave.</summary>
    Quit,
}
