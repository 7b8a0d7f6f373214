using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;

namespace Tpwatch.Attach.Launch;

/// <summary>
/// Kills a child that waits suspended when we are gone before we could let it go on: nobody else would ever resume it. A shell does it,
/// which waits on a pipe that only we hold; it lives for the tenth of a second that a launch takes. Unix only.
/// </summary>
internal sealed class SuspensionGuard : IAsyncDisposable
{
    const string Shell = "/bin/sh";

    // Signals from the terminal reach it too, and must not end it first. The end of the pipe is our end.
    const string Script = "trap '' HUP INT TERM TSTP; read pid || exit 0; read done || kill -KILL \"$pid\" 2>/dev/null";

    static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(2);

    readonly Process? shell;

    SuspensionGuard(Process? shell) => this.shell = shell;

    /// <summary>Starts it before the child, so that there is no moment without it; where there is no shell it guards nothing.</summary>
    public static SuspensionGuard Start()
    {
        if (!File.Exists(Shell))
        {
            return new SuspensionGuard(null);
        }

        ProcessStartInfo start = new(Shell) { UseShellExecute = false, RedirectStandardInput = true };
        start.ArgumentList.Add("-c");
        start.ArgumentList.Add(Script);
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

    /// <summary>The child goes on, or is gone.</summary>
    public async ValueTask DisposeAsync()
    {
        if (this.shell is null)
        {
            return;
        }

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
