namespace Tpwatch.Targets;

/// <summary>A runtime's description of its process.</summary>
/// <param name="Pid">Process id, in the process's own namespace.</param>
/// <param name="Cookie">Identifies this run of the runtime.</param>
/// <param name="CommandLine">The whole command line.</param>
/// <param name="Os">Operating system.</param>
/// <param name="Architecture">Processor architecture.</param>
/// <param name="EntryAssembly">Entry assembly. Available since version 2 of the command (.NET 6).</param>
/// <param name="RuntimeVersion">Version of the runtime. Available since version 2 of the command (.NET 6).</param>
/// <param name="RuntimeIdentifier">Runtime identifier. Available since version 3 of the command (.NET 8).</param>
sealed record ProcessInfo(
    ulong Pid, Guid Cookie, string? CommandLine, string? Os, string? Architecture,
    string? EntryAssembly, string? RuntimeVersion, string? RuntimeIdentifier)
{
    /// <param name="payload">The reply without its header.</param>
    /// <param name="version">Version of the command: 1, 2 or 3.</param>
    /// <returns>Null if the reply is shorter than its length fields say.</returns>
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
