using System.Reflection;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;

namespace Tpwatch.Benchmarks.Profile;

/// <summary>The types that a trace names by numbers.</summary>
sealed class TracedTypes(IReadOnlyDictionary<long, string> modules, Func<string, Assembly> load)
{
    const int RankShift = 8;
    const int RankMask = 0x3F;

    readonly Dictionary<ulong, (long Module, int Token, TypeFlags Flags, ulong[] Parameters)> types = [];

    public void Add(GCBulkTypeTraceData data)
    {
        for (var i = 0; i < data.Count; i++)
        {
            var type = data.Values(i);
            types[type.TypeID] = ((long)type.ModuleID, type.TypeNameID, type.Flags,
                [.. Enumerable.Range(0, type.TypeParameterCount).Select(type.TypeParameterID)]);
        }
    }

    /// <exception cref="KeyNotFoundException">The trace does not tell of it.</exception>
    /// <exception cref="ArgumentException">A type argument may not be what it is told to be.</exception>
    public Type Of(ulong id)
    {
        var (module, token, flags, parameters) = types[id];
        if (flags.HasFlag(TypeFlags.Array))
        {
            var rank = ((int)flags >> RankShift) & RankMask;
            return rank <= 1 ? Of(parameters[0]).MakeArrayType() : Of(parameters[0]).MakeArrayType(rank);
        }

        var type = load(modules[module]).ManifestModule.ResolveType(token);
        return type.FullName == AnyClass.Name ? AnyClass.Type
            : type.IsGenericTypeDefinition ? type.MakeGenericType([.. parameters.Select(Of)])
            : type;
    }
}
