namespace Tpwatch.Tests.Structure;

/// <summary>
/// The rooms of the engine and of the tool, each folder with sources one of them, in the order in which one may name another.
/// </summary>
static class House
{
    /// <summary>
    /// A room names only rooms above it. What the face takes lies at the root and is named by all; the face itself names all.
    /// </summary>
    public static readonly string[] Engine =
    [
        "Basics", "Reports/Items", "Reports", "Streams",
        "Attach/Processes", "Attach/Settings", "Attach/Ipc", "Attach/Targets", "Attach/Clock", "Attach/Running",
        "Recordings/Extract", "Recordings/Flight", "Recordings", "Attach/Sessions", "Attach/Launch", "Attach/Ports",
        "Events/Facts", "Events", "Stacks", "Stacks/Holders", "Inside", "Timeline/Items", "Timeline",
        "Model", "Model/Mechanisms", "Ledger/Beats", "Ledger/Judging", "Ledger", "Forecast",
        "Findings/Clues", "Findings/Remedies", "Findings", "WhatIf", "WhatIf/Study",
        "Reporting", "Capture", "Assertions/Conditions", "", "Assertions",
    ];

    /// <summary>The same of the tool, which may name any room of the engine.</summary>
    public static readonly string[] Tool =
    [
        "Render/Shared", "Render/Svg", "Render/Text", "Render/Json", "Render/Html", "Render/Ci", "Render/Export",
        "Controls", "Screen/Canvas", "Screen/State", "Screen/Lists", "Screen/Commands",
        "Screen/Lanes", "Screen/Bars", "Screen/Widgets", "Screen/Model", "Screen/Views", "Screen/Dialogs", "Screen/Picker", "Screen/Host",
        "World", "Options", "Output", "Watching", "Targets", "Serving/Http", "Serving/Metrics", "Serving/Fleet", "Serving/Otlp", "Serving",
        "Verbs", "",
    ];

    /// <summary>The folder of a file below its project; null for a file of neither.</summary>
    public static (string[] Order, string Room)? Of(SourceFile file) =>
        file.IsUnder("probes") ? (Engine, Below(file, "probes")) : file.IsUnder("tool") ? (Tool, Below(file, "tool")) : null;

    static string Below(SourceFile file, string root) =>
        string.Join('/', file.Path[(root.Length + 1)..].Split('/')[..^1]);
}
