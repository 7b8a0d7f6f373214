namespace Tpwatch.Attach;

/// <summary>
/// The raw stream on disk. Watching goes on whatever happens to it: a failed write or the limit ends the recording with a remark.
/// </summary>
public sealed class RecordingFile : IDisposable
{
    readonly FileStream _file;
    readonly long _limitBytes;
    bool _ended;

    RecordingFile(FileStream file, long limitBytes)
    {
        _file = file;
        _limitBytes = limitBytes;
    }

    /// <summary>Where it is.</summary>
    public string Path => _file.Name;

    /// <summary>Bytes written.</summary>
    public long Bytes { get; private set; }

    /// <summary>Why the recording ended before the session did, one sentence; null when it did not.</summary>
    public string? Remark { get; private set; }

    /// <summary>Creates or empties the file, readable by its owner alone. <see cref="ForeseenException"/> (exit code 3) when it cannot be written.</summary>
    public static RecordingFile Create(string path, long limitBytes) => new(PrivateFile.Create(path), limitBytes);

    /// <summary>Appends, unbuffered, so that a watcher that is killed leaves all it had read.</summary>
    public void Write(ReadOnlySpan<byte> bytes)
    {
        if (_ended)
        {
            return;
        }

        if (Bytes + bytes.Length > _limitBytes)
        {
            End($"The recording reached its limit of {Format.Count(_limitBytes)} bytes and ends before the session does.");
            return;
        }

        try
        {
            _file.Write(bytes);
            Bytes += bytes.Length;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            End($"The recording ended early: {e.Message}");
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _ended = true;
        _file.Dispose();
    }

    void End(string remark)
    {
        _ended = true;
        Remark = remark;
    }
}
