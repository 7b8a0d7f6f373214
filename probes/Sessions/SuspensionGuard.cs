using System.ComponentModel;
using System.Diagnostics;

namespace Tpwatch.Sessions;

/// <summary>
/// Ends a child when we are gone, as after a kill -9: one that waits suspended at once, since nobody else would ever resume it, one that
/// runs in order. A shell does it, which waits on a pipe that only we hold, for as long as the child lives. When we are gone before we
/// could tell it whom to guard, it looks for the child's environment (Linux). Unix only.
/// </summary>
sealed class SuspensionGuard : IAsyncDisposable
{
    const string Shell = "/bin/sh";

    // Signals from the terminal reach it too, and must not end it first. The end of the pipe is our end.
    // A child that is being started shows its environment within the second.
    const string Script = """
        trap '' HUP INT TERM TSTP
        read -r pid
        [ "$pid" = done ] && exit
        read -r said
        [ "$said" = done ] && exit
        if [ "$said" = goes ]; then
            read -r said && exit
            kill -TERM "$pid" 2>/dev/null && sleep 2
        fi
        if [ -z "$pid" ]; then
            sleep 1
            cd /proc && pid=$(grep -lsF "$1" [0-9]*/environ)
            pid=${pid%%/*}
        fi
        [ -n "$pid" ] && kill -KILL "$pid" 2>/dev/null
        """;

    static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(2);

    readonly Process? shell;
    bool disposed;

    SuspensionGuard(Process? shell) => this.shell = shell;

    /// <summary>Starts it before the child, so that there is no moment without it; where there is no shell it guards nothing.</summary>
    /// <param name="mark">A variable of the child's environment that no other process has, with its value.</param>
    public static SuspensionGuard Start(string mark)
    {
        if (!File.Exists(Shell))
        {
            return new SuspensionGuard(null);
        }

        ProcessStartInfo start = new(Shell) { UseShellExecute = false, RedirectStandardInput = true };
        foreach (var word in (string[])["-c", Script, "tpwatch-guard", mark])
        {
            start.ArgumentList.Add(word);
        }

        try
        {
            return new SuspensionGuard(Process.Start(start));
        }
        catch (Win32Exception)
        {
            return new SuspensionGuard(null);
        }
    }

    /// <summary>Whom to guard.</summary>
    public void Watch(int pid) => Write(pid.ToString(CultureInfo.InvariantCulture));

    /// <summary>The child goes on: from now on it can end in order.</summary>
    public void Goes() => Write("goes");

    /// <summary>The child is gone.</summary>
    public async ValueTask DisposeAsync()
    {
        if (this.shell is null || disposed)
        {
            return;
        }

        disposed = true;
        Write("done");
        this.shell.StandardInput.Close();
        try
        {
            await this.shell.WaitForExitAsync(CancellationToken.None).WaitAsync(EndLimit).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            this.shell.Kill();
        }

        this.shell.Dispose();
    }

    void Write(string line)
    {
        try
        {
            this.shell?.StandardInput.Write(line + "\n");
            this.shell?.StandardInput.Flush();
        }
        catch (IOException)
        {
            // Somebody has killed it; then the child is not guarded, and nothing else changes.
        }
    }
}
