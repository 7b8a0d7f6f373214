namespace Tpwatch.Targets;

/// <summary>What a runtime says of its process.</summary>
/// <param name="Pid">Process id as the process itself counts it.</param>
/// <param name="Cookie">Names this run of the runtime.</param>
/// <param name="CommandLine">The whole command line.</param>
/// <param name="Os">Operating system.</param>
/// <param name="Architecture">Processor architecture.</param>
/// <param name="EntryAssembly">Since version 2 of the command (.NET 6).</param>
/// <param name="RuntimeVersion">Since version 2 of the command (.NET 6).</param>
/// <param name="RuntimeIdentifier">Since version 3 of the command (.NET 8).</param>
sealed record ProcessInfo(
    ulong Pid, Guid Cookie, string? CommandLine, string? Os, string? Architecture,
    string? EntryAssembly, string? RuntimeVersion, string? RuntimeIdentifier)
{
    /// <param name="payload">The reply without its header.</param>
    /// <param name="version">Of the command: 1, 2 or 3.</param>
    /// <returns>Null when the reply is shorter than it says.</returns>
    public static ProcessInfo? Parse(ReadOnlySpan<byte> payload, int version)
    {
        PayloadCursor at = new(payload);
        if (version >= 3)
        {
            at.U32();
        }

        ProcessInfo info = new(
            at.U64(), at.Guid(), at.Text(), at.Text(), at.Text(), version >= 2 ? at.Text() : null,
            version >= 2 ? at.Text() : null, version >= 3 ? at.Text() : null);
        return at.Failed ? null : info;
    }
}
