using System.Reflection;

namespace Tpwatch.Output;

/// <summary>The version that reports carry.</summary>
static class ToolVersion
{
    /// <summary>Such as <c>0.1.0</c>; the commit is left out, so that reports of one version are equal.</summary>
    public static string Text { get; } =
        typeof(ToolVersion).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0]
            ?? "0.0.0";
}
