namespace Tpwatch.Recordings;

/// <summary>A recording made of what a running observation retained.</summary>
/// <param name="Path">Where it is; its side-car is beside it.</param>
/// <param name="Bytes">Length of the stream.</param>
/// <param name="IsWhole">Whether it holds the capture from its beginning.</param>
sealed record SavedFlight(string Path, long Bytes, bool IsWhole)
{
    /// <summary>The side-car says what the stream was cut from.</summary>
    const string CutRemark = "This recording was saved while watching. The recording begins in the middle: older events were no longer "
        + "in memory.";

    /// <summary>
    /// Saves a tape, readable by its owner alone, never over another file. <see cref="ForeseenException"/> (exit code 3) when it cannot be
    /// written, (1) when nothing is retained.
    /// </summary>
    internal static SavedFlight Save(string path, FlightTape tape, SideCar sideCar)
    {
        if (!tape.HasEvents)
        {
            throw new ForeseenException(
                tape.Defect is { } why
                    ? $"no events are in memory to save: {why}"
                    : "no event has come yet, so there is nothing to save", "use dotnet tpwatch record instead", ExitCode.NoSession);
        }

        if (PrivateFile.IsThere(path) || PrivateFile.IsThere(SideCarFile.PathFor(path)))
        {
            throw new ForeseenException($"{path} or the .json file next to it exists already", "name another file", ExitCode.Arguments);
        }

        using var file = PrivateFile.CreateNew(path);
        try
        {
            // Through a buffer: the file itself has none, and a day's tape is thousands of small blocks.
            using var buffered = new BufferedStream(file, 1 << 16);
            tape.WriteTo(buffered);
            buffered.Flush();
            SideCarFile.Write(
                SideCarFile.PathFor(path), sideCar with { Remarks = tape.IsCut ? sideCar.Remarks.Add(CutRemark) : sideCar.Remarks },
                over: false);
            return new(path, file.Length, !tape.IsCut);
        }
        catch (IOException e)
        {
            throw new ForeseenException($"{path} cannot be written: {e.Message}", "name another file", ExitCode.Arguments, e);
        }
    }
}
