using Tpwatch.Explain;

namespace Tpwatch.Render.Tui;

/// <summary>The display stands still while the capture goes on.</summary>
/// <param name="Shown">What is shown.</param>
/// <param name="Newest">What has arrived since.</param>
internal sealed record Freeze(PoolReport Shown, PoolReport Newest);
