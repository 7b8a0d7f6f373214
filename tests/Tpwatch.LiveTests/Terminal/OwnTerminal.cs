using System.Diagnostics;
using System.Globalization;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Tpwatch.LiveTests.Terminal;

/// <summary>
/// A pseudo terminal of our own with a program in it. Unlike tmux it shows every byte, it can stop reading, and it needs nothing installed
/// but what every Linux has (setsid). Linux only.
/// </summary>
sealed class OwnTerminal : IAsyncDisposable
{
    // Who writes at the cursor asks where it is, and waits for the answer. Nothing here is kept of the picture, so it is told the top.
    const string WhereIsTheCursor = "\e[6n";
    const string AtTheTop = "\e[1;1R";

    static readonly TimeSpan Look = TimeSpan.FromMilliseconds(2);

    static readonly TimeSpan SlowLook = TimeSpan.FromMilliseconds(100);

    readonly FileStream master;
    readonly Process process;
    readonly Task reading;
    readonly Lock guard = new();
    readonly StringBuilder text = new();
    readonly System.Text.Decoder utf8 = Encoding.UTF8.GetDecoder();
    volatile TaskCompletionSource? paused;
    volatile int slowness;
    long bytes;

    OwnTerminal(SafeFileHandle handle, Process process)
    {
        (master, this.process) = (new FileStream(handle, FileAccess.ReadWrite, bufferSize: 0), process);
        reading = Task.Run(ReadAsync);
    }

    /// <summary>The program in it; the shell that started it has become it.</summary>
    public int Pid => process.Id;

    /// <summary>Bytes that came out of it.</summary>
    public long Bytes => Interlocked.Read(ref bytes);

    /// <summary>Everything that came out since the last <see cref="Forget"/>.</summary>
    public string Text
    {
        get
        {
            lock (guard)
                return text.ToString();
        }
    }

    /// <summary>Starts a program with a terminal of that size.</summary>
    public static OwnTerminal Start((int Width, int Height) size,
        IReadOnlyList<string> command, params (string Name, string? Value)[] environment)
    {
        var (handle, name) = PseudoTerminal.Open(size.Width, size.Height);
        string[] shell = ["-c", "exec setsid --ctty \"$@\" <\"$0\" >\"$0\" 2>&1", name, .. command];
        var start = new ProcessStartInfo("/bin/sh", shell) { UseShellExecute = false };
        foreach (var (variable, value) in environment.Prepend(("TERM", "xterm-256color"))
            .Prepend(("LANG", "C.UTF-8")).Prepend(("NO_COLOR", null)))
        {
            start.Environment[variable] = value;
        }

        return new(handle, Process.Start(start)!);
    }

    /// <summary>Types characters or control sequences as they are.</summary>
    public async Task TypeAsync(string keys)
    {
        await master.WriteAsync(Encoding.UTF8.GetBytes(keys));
        await master.FlushAsync();
    }

    public void Resize(int width, int height) => PseudoTerminal.Resize(master.SafeFileHandle, width, height);

    /// <summary>
    /// Nothing is read any more until <see cref="ReadOn"/>: what the program writes fills the terminal's buffer, and then it waits.
    /// </summary>
    public void StopReading() => paused = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public void ReadOn()
    {
        var gate = paused;
        paused = null;
        gate?.SetResult();
    }

    /// <summary>From now on it takes so many bytes a second, as over a slow line.</summary>
    public void ReadSlowly(int bytesPerSecond) => slowness = bytesPerSecond;

    public void Forget()
    {
        lock (guard)
            text.Clear();
    }

    /// <summary>
    /// Looks until what came out is as wanted; how long that took, or null when it took longer than <paramref name="limit"/>.
    /// </summary>
    public async Task<TimeSpan?> WaitAsync(Func<string, bool> wanted, TimeSpan limit)
    {
        var start = TimeProvider.System.GetTimestamp();
        while (!wanted(Text))
        {
            if (TimeProvider.System.GetElapsedTime(start) > limit)
            {
                return null;
            }

            await Task.Delay(Look);
        }

        return TimeProvider.System.GetElapsedTime(start);
    }

    /// <summary>
    /// The exit code, or null when the program is still there after <paramref name="limit"/>. What it wrote last has been read then, unless
    /// another program has the terminal open or nothing is read.
    /// </summary>
    public async Task<int?> ExitAsync(TimeSpan limit)
    {
        using var patience = new CancellationTokenSource(limit);
        try
        {
            await process.WaitForExitAsync(patience.Token);
            await Task.WhenAny(reading, Task.Delay(Timeout.InfiniteTimeSpan, patience.Token));
            return process.ExitCode;
        }
        catch (OperationCanceledException)
        {
            return null;
        }
    }

    /// <summary>Processor time that the program has used.</summary>
    public TimeSpan Processor
    {
        get
        {
            process.Refresh();
            return process.TotalProcessorTime;
        }
    }

    /// <summary>A field of /proc/PID/status in kB, such as <c>VmRSS</c>.</summary>
    public long StatusKb(string field)
    {
        var path = string.Create(CultureInfo.InvariantCulture, $"/proc/{Pid}/status");
        var line = File.ReadLines(path).First(l => l.StartsWith(field + ":", StringComparison.Ordinal));
        return long.Parse(line.Split((char[])[' ', '\t'], StringSplitOptions.RemoveEmptyEntries)[1], CultureInfo.InvariantCulture);
    }

    /// <summary>Takes the terminal away, as a closed window does.</summary>
    public void HangUp() => master.SafeFileHandle.Close();

    /// <summary>Ends the program when it has not ended by itself.</summary>
    public async ValueTask DisposeAsync()
    {
        ReadOn();
        if (!process.HasExited)
        {
            process.Kill(entireProcessTree: true);
            await process.WaitForExitAsync();
        }

        await reading;
        await master.DisposeAsync();
        process.Dispose();
    }

    async Task ReadAsync()
    {
        var buffer = new byte[64 * 1024];
        var letters = new char[buffer.Length];
        while (true)
        {
            if (paused is { } gate)
            {
                await gate.Task;
            }

            // Of a terminal whose program has ended the rest is read at once.
            var slow = process.HasExited ? 0 : slowness;
            if (slow > 0)
            {
                await Task.Delay(SlowLook);
            }

            var count = await ReadOnceAsync(slow > 0 ? buffer.AsMemory(0, (int)(slow * SlowLook.TotalSeconds)) : buffer);
            if (count <= 0)
            {
                return;
            }

            Interlocked.Add(ref bytes, count);
            var read = new string(letters, 0, utf8.GetChars(buffer, 0, count, letters, 0));
            lock (guard)
                text.Append(read);
            if (read.Contains(WhereIsTheCursor, StringComparison.Ordinal))
                await TypeAsync(AtTheTop);
        }
    }

    async Task<int> ReadOnceAsync(Memory<byte> buffer)
    {
        try
        {
            return await master.ReadAsync(buffer);
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            // Nobody has the other side open any more.
            return 0;
        }
    }
}
