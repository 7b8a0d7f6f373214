using System.Collections;

namespace Tpwatch.Targets;

/// <summary>
/// An environment block, kept only while a target is being described, because it may contain secrets; callers read values by name.
/// </summary>
sealed class ProcEnvironment(IReadOnlyDictionary<string, string> values) : IEnumerable<KeyValuePair<string, string>>
{
    static readonly string[] DiagnosticSwitches = ["EnableDiagnostics", "EnableDiagnostics_IPC"];

    public string? this[string name] => values.GetValueOrDefault(name);

    public static ProcEnvironment Parse(string block) => Of(block.Split('\0', StringSplitOptions.RemoveEmptyEntries));

    /// <summary>Parses assignments; if a name occurs twice, the first value counts, as in the runtime.</summary>
    public static ProcEnvironment Of(IEnumerable<string> assignments)
    {
        Dictionary<string, string> values = [];
        foreach (var assignment in assignments)
        {
            if (assignment.IndexOf('=') is > 0 and var equals)
            {
                values.TryAdd(assignment[..equals], assignment[(equals + 1)..]);
            }
        }

        return new ProcEnvironment(values);
    }

    /// <summary>The assignment that disables the diagnostic port, as written; null if there is none.</summary>
    public string? WhatDisablesDiagnostics() =>
        (from prefix in (string[])["DOTNET_", "COMPlus_"]
         from name in DiagnosticSwitches
         let value = this[prefix + name]
         where IsZero(value)
         select $"{prefix}{name}={value}").FirstOrDefault();

    public IEnumerator<KeyValuePair<string, string>> GetEnumerator() => values.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    // The runtime parses these values as hexadecimal numbers.
    static bool IsZero(string? value)
    {
        var digits = value is ['0', 'x' or 'X', ..] ? value[2..] : value ?? "";
        return ulong.TryParse(digits, NumberStyles.HexNumber, CultureInfo.InvariantCulture, out var number) && number == 0;
    }
}
