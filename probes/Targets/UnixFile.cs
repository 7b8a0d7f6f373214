using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace Tpwatch.Targets;

/// <summary>File attributes that Linux provides and .NET does not provide: whether a file is a socket, and its owner.</summary>
static partial class UnixFile
{
    // From linux/stat.h and fcntl.h; the structure has the same layout on every processor.
    const int HereFolder = -100;
    const int LinksAsTheyAre = 0x100;
    const uint TypeAndOwner = 0x1 | 0x8;
    const int StructureBytes = 256;
    const int OwnerAt = 20;
    const int ModeAt = 28;
    const int TypeMask = 0xF000;
    const int SocketType = 0xC000;
    const int FolderType = 0x4000;

    /// <summary>The user id that owns the socket at a path; null if there is no socket at this path. Does not follow links.</summary>
    public static int? SocketOwner(string path) => Owner(path, SocketType);

    public static bool IsOurSocket(string path) => OperatingSystem.IsLinux() && Owner(path, SocketType) == Us();

    /// <summary>Whether the path is a folder, not a link to a folder, that belongs to tpwatch's user.</summary>
    public static bool IsOurFolder(string path) => OperatingSystem.IsLinux() && Owner(path, FolderType) == Us();

    static int? Owner(string path, int type)
    {
        var about = new byte[StructureBytes];
        return Look(HereFolder, path, LinksAsTheyAre, TypeAndOwner, about) == 0
            && (BinaryPrimitives.ReadUInt16LittleEndian(about.AsSpan(ModeAt)) & TypeMask) == type
            ? BinaryPrimitives.ReadInt32LittleEndian(about.AsSpan(OwnerAt))
            : null;
    }

    [LibraryImport("libc", EntryPoint = "geteuid")]
    private static partial int Us();

    [LibraryImport("libc", EntryPoint = "statx", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Look(int folder, string path, int flags, uint mask, byte[] about);
}
