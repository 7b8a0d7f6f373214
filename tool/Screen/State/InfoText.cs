namespace Tpwatch.Screen.State;

/// <summary>A text that lies over a view.</summary>
enum InfoText
{
    None,

    /// <summary>What was asked of the target and what of it arrives.</summary>
    SelfCheck,

    /// <summary>What was lost.</summary>
    Loss,
}
