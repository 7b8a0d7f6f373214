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
        "Core", "Reports", "Targets", "Recordings", "Sessions", "Events", "Items", "Pool", "Stacks", "Inside", "Wording",
        "Ledger", "Diagnosis", "WhatIf", "Watch", "", "Assertions",
    ];

    /// <summary>The same of the tool, which may name any room of the engine.</summary>
    public static readonly string[] Tool =
    [
        "Text", "Export", "Screen/Commands", "Screen/Drawing", "Screen", "Run", "Serve", "Cli", "",
    ];

    /// <summary>The folder of a file below its project; null for a file of neither.</summary>
    public static (string[] Order, string Room)? Of(SourceFile file) =>
        file.IsUnder("probes") ? (Engine, Below(file, "probes")) : file.IsUnder("tool") ? (Tool, Below(file, "tool")) : null;

    static string Below(SourceFile file, string root) =>
        string.Join('/', file.Path[(root.Length + 1)..].Split('/')[..^1]);
}
