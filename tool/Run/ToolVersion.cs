using System.Reflection;

namespace Tpwatch.Run;

/// <summary>The version that reports carry.</summary>
static class ToolVersion
{
    /// <summary>With the commit it was built from, as <c>--version</c> tells it.</summary>
    public static string Whole { get; } =
        typeof(ToolVersion).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "0.0.0";

    /// <summary>Such as <c>0.1.0</c>; the commit is left out, so that reports of one version are equal.</summary>
    public static string Text { get; } = Whole.Split('+')[0];
}
