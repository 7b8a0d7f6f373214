using System.Text.Json;
using Tpwatch.Reports;

namespace Tpwatch.Targets;

/// <summary>Selects the pool's settings from the target's configuration; all other settings are discarded.</summary>
static class PoolSettings
{
    public const string RuntimeconfigPrefix = "System.Threading.ThreadPool.";

    // DOTNET_ overrides COMPlus_ with the same name, even if the DOTNET_ value is not usable.
    static readonly string[] Prefixes = ["DOTNET_", "COMPlus_"];
    static readonly string[] Families = ["ThreadPool_", "HillClimbing_"];

    // The memory load from which memory use counts as high; at 80 % of this load, the pool stops blocking compensation for task waits.
    const string HighMemoryVariable = "GCHighMemPercent";
    const string HighMemoryEntry = "System.GC.HighMemoryPercent";

    /// <summary>The switch for event sources; if it is false, the pool sends no events.</summary>
    public const string EventsEntry = "System.Diagnostics.Tracing.EventSource.IsSupported";

    public static IEnumerable<PoolSetting> Of(ProcEnvironment environment) =>
        from pair in environment
        where IsOfThePool(pair.Key)
        orderby pair.Key
        select new PoolSetting(pair.Key, pair.Value, SettingSource.Environment);

    /// <summary>The pool's settings in runtimeconfig.json; empty if the text is not JSON or has another structure.</summary>
    public static ImmutableArray<PoolSetting> OfRuntimeconfig(string json)
    {
        try
        {
            using var document = JsonDocument.Parse(json, new() { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true });
            return Property(document.RootElement, "runtimeOptions") is { } options
                && Property(options, "configProperties") is { ValueKind: JsonValueKind.Object } all
                ? [.. all.EnumerateObject()
                    .Where(p => p.Name is HighMemoryEntry or EventsEntry
                        || p.Name.StartsWith(RuntimeconfigPrefix, StringComparison.Ordinal))
                    .Select(Setting)]
                : [];
        }
        catch (JsonException)
        {
            return [];
        }
    }

    /// <summary>A setting's environment variable, found by the runtime's order of prefixes.</summary>
    public static PoolSetting? InEnvironment(ImmutableArray<PoolSetting> settings, string name) =>
        Prefixes.Select(prefix => settings.FirstOrDefault(s => s.Source == SettingSource.Environment && s.Name == prefix + name))
            .FirstOrDefault(s => s is not null);

    public static PoolSetting? InRuntimeconfig(ImmutableArray<PoolSetting> settings, string name) =>
        settings.FirstOrDefault(s => s.Source == SettingSource.Runtimeconfig && s.Name == RuntimeconfigPrefix + name);

    static bool IsOfThePool(string name) =>
        Prefixes.FirstOrDefault(p => name.StartsWith(p, StringComparison.Ordinal)) is { } prefix
            && name[prefix.Length..] is var rest
            && (rest is "PROCESSOR_COUNT" or HighMemoryVariable || Families.Any(f => rest.StartsWith(f, StringComparison.Ordinal)));

    static JsonElement? Property(JsonElement element, string name) =>
        element.ValueKind == JsonValueKind.Object && element.TryGetProperty(name, out var value) ? value : null;

    static PoolSetting Setting(JsonProperty property) => new(property.Name, property.Value.ToString(), SettingSource.Runtimeconfig);
}
