namespace Tpwatch.Recordings;

/// <summary>
/// The raw stream on disk. Watching goes on whatever happens to it: a failed write or the limit ends the recording with a remark.
/// </summary>
sealed class RecordingFile : IDisposable
{
    readonly FileStream file;
    readonly long limitBytes;
    bool ended;

    RecordingFile(FileStream file, long limitBytes)
    {
        this.file = file;
        this.limitBytes = limitBytes;
        IsDevice = PrivateFile.IsDevice(file);
    }

    public string Path => this.file.Name;

    /// <summary>Bytes written.</summary>
    public long Bytes { get; private set; }

    /// <summary>Whether it is a device such as /dev/null, beside which nothing belongs.</summary>
    public bool IsDevice { get; }

    /// <summary>Whether a write failed, as on a full disk; the limit is no failure.</summary>
    public bool Failed { get; private set; }

    /// <summary>Why the recording ended before the session did, one sentence; null when it did not.</summary>
    public string? Remark { get; private set; }

    /// <summary>
    /// Creates the file, readable by its owner alone, where nothing is or, with <paramref name="over"/>, in the place of what is there.
    /// <see cref="ForeseenException"/> (exit code 3) when it cannot be written.
    /// </summary>
    public static RecordingFile Create(string path, long limitBytes, bool over = false) =>
        new(PrivateFile.CreateNew(path, over), limitBytes);

    /// <summary>Takes away what was created, when nothing comes of the recording.</summary>
    public void Abandon()
    {
        Dispose();
        if (!IsDevice)
        {
            File.Delete(Path);
        }
    }

    /// <summary>Appends, unbuffered, so that a watcher that is killed leaves all it had read.</summary>
    public void Write(ReadOnlySpan<byte> bytes)
    {
        if (ended)
        {
            return;
        }

        if (Bytes + bytes.Length > this.limitBytes)
        {
            End($"The recording reached its limit of {Format.Count(this.limitBytes)} bytes and stopped before the session ended.");
            return;
        }

        try
        {
            this.file.Write(bytes);
            Bytes += bytes.Length;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Failed = true;
            End($"The recording ended early: {e.Message}");
        }
    }

    public void Dispose()
    {
        ended = true;
        this.file.Dispose();
    }

    void End(string remark)
    {
        ended = true;
        Remark = remark;
    }
}
