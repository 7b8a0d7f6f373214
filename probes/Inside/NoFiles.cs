using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;

namespace Tpwatch.Inside;

/// <summary>
/// Finds no file. The library's own locator asks servers of symbols, by assemblies that are not deployed here; all that is read comes from
/// memory and from the target's own folder.
/// </summary>
sealed class NoFiles : IFileLocator
{
    /// <summary>How a target is opened: everywhere without the library's locator.</summary>
    public static DataTargetOptions Options() => new() { FileLocator = new NoFiles() };

    public string? FindPEImage(string fileName, int buildTimeStamp, int imageSize, bool checkProperties) => null;

    public string? FindPEImage(
        string fileName, SymbolProperties archivedUnder, ImmutableArray<byte> buildIdOrUUID, OSPlatform originalPlatform,
        bool checkProperties) =>
        null;
}
