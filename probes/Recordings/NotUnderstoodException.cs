namespace Tpwatch.Recordings;

/// <summary>
/// The stream contains data that this reader does not know or that is invalid; the caller passes the unchanged stream to the library.
/// </summary>
/// <param name="what">Description of the data, as a part of a sentence.</param>
sealed class NotUnderstoodException(string what) : Exception(what);
