namespace Tpwatch.Inside;

/// <summary>
/// Tells a method table of the target from any other memory. A table names its class, the class names the table, and the parents of the
/// table end at <c>System.Object</c>. Two words that point at each other are not enough: the saved frame pointers of a stack do so too.
/// The layout is that of .NET 8 to 11, learned from known types rather than believed.
/// </summary>
sealed class MethodTables
{
    /// <summary>No user address is lower or higher.</summary>
    const ulong LowestAddress = 0x10000;
    const ulong HighestAddress = 0x800000000000;

    /// <summary>Where the parent lies (<c>m_pParentMethodTable</c>).</summary>
    const ulong Parent = 0x10;

    /// <summary>Where in a table its class may be found, and in that the way back, as far as they are searched for.</summary>
    const ulong FurthestClass = 0x60;
    const ulong FurthestBack = 0x80;

    /// <summary>No class of a real program has more bases.</summary>
    const int MostBases = 64;

    readonly Func<ulong, ulong?> word;
    readonly ulong root;
    readonly ulong? continuation;
    readonly ulong classAt;
    readonly ulong backAt;

    MethodTables(Func<ulong, ulong?> word, ulong root, ulong? continuation, ulong classAt, ulong backAt) =>
        (this.word, this.root, this.continuation, this.classAt, this.backAt) = (word, root, continuation, classAt, backAt);

    /// <summary>Learns where a table names its class, and a class its table.</summary>
    /// <param name="word">The 64 bits at an address of the target; null where nothing is mapped.</param>
    /// <param name="known">Tables of plain classes; the first is that of <c>System.Object</c>. Zeros are left out.</param>
    /// <param name="continuation">
    /// .NET 11: the table of suspended methods; the tables that the JIT derives of it share its class, which does not name them.
    /// </param>
    /// <returns>Null where the known tables are not laid out alike.</returns>
    public static MethodTables? Learn(Func<ulong, ulong?> word, IReadOnlyList<ulong> known, ulong? continuation)
    {
        const int Enough = 3;
        ulong[] there = [.. known.Where(t => t != 0)];
        for (var at = Parent + sizeof(ulong); there.Length >= Enough && at <= FurthestClass; at += sizeof(ulong))
        {
            for (ulong back = 0; back <= FurthestBack; back += sizeof(ulong))
            {
                var tables = new MethodTables(word, known[0], continuation, at, back);
                if (there.All(tables.Contains))
                {
                    return tables;
                }
            }
        }

        return null;
    }

    /// <summary>Whether something of the program may lie there.</summary>
    public static bool IsAddress(ulong address) => address is >= LowestAddress and < HighestAddress;

    /// <summary>Whether an object or a table may lie there.</summary>
    public static bool IsAligned(ulong address) => IsAddress(address) && (address & 7) == 0;

    /// <summary>Whether a method table lies there.</summary>
    public bool Contains(ulong table)
    {
        for (var i = 0; i < MostBases && IsTable(table); i++)
        {
            if (table == root)
            {
                return true;
            }

            table = word(table + Parent) ?? 0;
        }

        return false;
    }

    bool IsTable(ulong table)
    {
        if (!IsAligned(table) || word(table + classAt) is not { } of)
        {
            return false;
        }

        var canonical = table;
        if ((of & 1) != 0)
        {
            // A generic instance names the table that it shares its class with.
            canonical = of & ~1ul;
            of = IsAligned(canonical) ? word(canonical + classAt) ?? 0 : 0;
        }

        return IsAligned(of) && word(of + backAt) is { } back
            && (back == canonical || (continuation is not null && word(table + Parent) == continuation));
    }
}
