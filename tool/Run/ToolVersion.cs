using System.Reflection;

namespace Tpwatch.Run;

/// <summary>The version of tpwatch.</summary>
static class ToolVersion
{
    /// <summary>The version together with the commit of its source, as printed by <c>--version</c>.</summary>
    public static string Whole { get; } =
        typeof(ToolVersion).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "0.0.0";

    /// <summary>The version without the commit, such as <c>0.1.0</c>, so that reports of one version are equal.</summary>
    public static string Text { get; } = Whole.Split('+')[0];
}
