"""How a report's page looks."""

STYLE = """
:root { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; color: #18181e;
  background: #f4f2ec; line-height: 1.45; }
* { box-sizing: border-box; }
body { max-width: 70rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: clamp(1.6rem, 4.5vw, 2.3rem); line-height: 1.15; margin: 0 0 .4rem; }
h2 { font-size: 1.45rem; line-height: 1.2; margin: 0 0 .3rem; }
h3 { font-size: 1.1rem; margin: 0 0 .2rem; }
p { margin: .2rem 0 .6rem; max-width: 46rem; }
.about { color: #55555f; font-size: .93rem; }
code { font-size: .92em; overflow-wrap: anywhere; }
nav { display: flex; flex-wrap: wrap; gap: .5rem; margin: .8rem 0 1.2rem; }
nav a { padding: .35rem .8rem; border-radius: 1rem; background: #fff; border: 1px solid #cfcabb; color: #1a4a80;
  text-decoration: none; font-weight: 600; }
nav a:hover, nav a:focus { background: #1a4a80; color: #fff; }
article, #edges { background: #fffefb; border: 1px solid #e0dccf; border-radius: 10px; padding: 1.2rem 1.3rem;
  margin: 0 0 1.5rem; }
article section { border-top: 1px solid #e7e3d7; padding-top: 1rem; margin-top: 1.2rem; }
.pair { display: grid; grid-template-columns: minmax(0, 9fr) minmax(0, 11fr); gap: 1rem 1.5rem; align-items: center; }
.pair table.plain { font-size: .88rem; }
svg.lines { width: 100%; max-width: 36rem; height: auto; font-size: 12px; font-family: inherit; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .7rem; margin: .8rem 0 0; }
.tiles div { background: #f4f2ec; border-radius: 8px; padding: .6rem .8rem; display: flex;
  flex-direction: column-reverse; justify-content: flex-end; }
.tiles dd { margin: 0; font-size: 1.3rem; font-weight: 700; font-variant-numeric: tabular-nums; }
.tiles dt { font-size: .83rem; color: #55555f; }
.wide { overflow-x: auto; }
table.plain { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .93rem; }
.plain th, .plain td { text-align: left; padding: .32rem .55rem; border-bottom: 1px solid #e7e3d7;
  white-space: nowrap; }
.plain th { color: #55555f; font-weight: 600; border-bottom: 2px solid #cfcabb; }
.plain .number { text-align: right; }
.bars { list-style: none; margin: .4rem 0 0; padding: 0; }
.bars li { display: grid; grid-template-columns: minmax(7rem, 21rem) minmax(8rem, 1fr) 7rem; gap: 0 .8rem;
  align-items: center; padding: .16rem 0; }
.bars .label { text-align: right; font-size: .93rem; overflow-wrap: anywhere; line-height: 1.25; }
.bars small { display: block; color: #55555f; font-size: .8rem; }
.bars .track { position: relative; height: 1.15rem; background: #f4f2ec; border-radius: 3px; }
.bars .track i { position: absolute; top: -.16rem; bottom: -.16rem; width: 1px; background: #18181e; }
.bars .bar { position: absolute; top: .1rem; bottom: .1rem; min-width: 1px; border-radius: 2px; }
.bars .value { font-variant-numeric: tabular-nums; font-size: .93rem; white-space: nowrap; }
.scale .track { background-image: linear-gradient(90deg, #cfcabb 1px, transparent 1px);
  background-size: var(--step) 100%; }
.blocks { columns: 27rem 2; column-gap: 2rem; }
.blocks > * { break-inside: avoid; margin-bottom: 1rem; }
table.chart { border-collapse: separate; border-spacing: 2px; width: 100%; table-layout: fixed; }
.chart caption { text-align: left; font-weight: 650; padding: .3rem 0; }
.chart th { font-weight: 600; font-size: .85rem; padding: .1rem 0; }
.chart th[scope=row] { text-align: right; padding-right: .35rem; white-space: nowrap; }
.chart td { text-align: center; padding: .14rem 0; border-radius: 4px; font-size: .9rem; font-weight: 650;
  line-height: 1.15; }
.chart small { display: block; font-size: .68rem; font-weight: 400; line-height: 1.1; min-height: .75rem; }
.chart td.never { color: #6a6a72;
  background-image: repeating-linear-gradient(135deg, #ffffffb0 0 4px, #ffffff60 4px 8px); }
.signs { display: grid; grid-template-columns: max-content 1fr; gap: .15rem .8rem; margin: .5rem 0; font-size: .93rem; }
.signs dt { font-weight: 700; } .signs dd { margin: 0; }
footer { margin-top: 1rem; }
@media (max-width: 60rem) { .pair { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 42rem) {
  body { padding: 1rem .5rem 2rem; }
  article, #edges { padding: .9rem .7rem; }
  .bars li { grid-template-columns: 1fr 6.2rem; gap: .05rem .6rem; padding: .3rem 0; }
  .bars .label { text-align: left; grid-column: 1 / -1; }
  .blocks { columns: auto; }
  table.plain, .pair table.plain { font-size: .8rem; }
  .plain th, .plain td { padding: .3rem .3rem; }
}
@media print {
  :root { background: #fff; font-size: 10pt; }
  body { max-width: none; padding: 0; }
  nav { display: none; }
  article, #edges { border: 0; padding: 0; background: #fff; }
  .blocks { columns: 2; }
  article { break-before: page; }
  li, tr, table.chart, .tiles { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  .bar, .track, .track i, .chart td, .tiles div { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""
