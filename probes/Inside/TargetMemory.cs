using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;

namespace Tpwatch.Inside;

/// <summary>Memory of a 64-bit process, live or in a dump; reads numbers through the derived class's reading of bytes.</summary>
abstract class TargetMemory : IDataReader
{
    public abstract string DisplayName { get; }
    public abstract OSPlatform TargetPlatform { get; }
    public abstract Architecture Architecture { get; }
    public abstract int ProcessId { get; }
    public bool IsThreadSafe => false;
    public int PointerSize => sizeof(ulong);

    public abstract IEnumerable<ModuleInfo> EnumerateModules();

    public abstract void FlushCachedData();

    public abstract bool GetThreadContext(uint threadID, uint contextFlags, Span<byte> context);

    public abstract int Read(ulong address, Span<byte> buffer);

    public unsafe bool Read<T>(ulong address, out T value)
        where T : unmanaged
    {
        T read = default;
        var whole = Read(address, new Span<byte>(&read, sizeof(T))) == sizeof(T);
        value = whole ? read : default;
        return whole;
    }

    public T Read<T>(ulong address)
        where T : unmanaged => Read(address, out T value) ? value : default;

    public bool ReadPointer(ulong address, out ulong value) => Read(address, out value);

    public ulong ReadPointer(ulong address) => Read<ulong>(address);
}
