namespace Tpwatch.Recordings;

/// <summary>The raw stream on disk. A failed write or the size limit ends the recording with a remark; watching continues.</summary>
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

    /// <summary>Number of bytes written.</summary>
    public long Bytes { get; private set; }

    /// <summary>Whether the file is a device such as /dev/null, next to which no other file is written.</summary>
    public bool IsDevice { get; }

    /// <summary>Whether a write failed, as on a full disk; reaching the limit is not a failure.</summary>
    public bool Failed { get; private set; }

    /// <summary>Why the recording ended before the session, one sentence; null if it did not.</summary>
    public string? Remark { get; private set; }

    /// <summary>
    /// Creates the file, readable by its owner only, if the path does not exist; with <paramref name="over"/>, it replaces an existing
    /// file. Throws <see cref="UserErrorException"/> (exit code 3) if it cannot be written.
    /// </summary>
    public static RecordingFile Create(string path, long limitBytes, bool over = false) =>
        new(PrivateFile.CreateNew(path, over), limitBytes);

    /// <summary>Deletes the created file, if the recording cannot start.</summary>
    public void Abandon()
    {
        Dispose();
        if (!IsDevice)
        {
            File.Delete(Path);
        }
    }

    /// <summary>Appends without buffering, so that everything read so far is on disk if the watcher is killed.</summary>
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
