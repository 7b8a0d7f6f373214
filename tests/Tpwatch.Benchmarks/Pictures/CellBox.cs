namespace Tpwatch.Benchmarks.Pictures;

/// <summary>Where a cell lies on a picture, or several of one row beside one another, in units of the drawing.</summary>
/// <param name="X">Its left edge.</param>
/// <param name="Y">Its upper edge.</param>
/// <param name="Width">From there to the right.</param>
/// <param name="Height">From there down.</param>
readonly record struct CellBox(double X, double Y, double Width, double Height);
