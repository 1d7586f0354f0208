/// The style sheet of ``ConformancePage``.
enum ConformancePageStyle {
    static let text = """
        :root { --ok: #1a7f37; --nonstrict: #9a6700; --informational: #0969da; --unimplemented: #6e7781; --failed: \
        #cf222e;
          --line: #d0d7de; --soft: #f6f8fa; --ink: #1f2328; --paper: #fff; }
        @media (prefers-color-scheme: dark) {
          :root { --ok: #3fb950; --nonstrict: #d29922; --informational: #58a6ff; --unimplemented: #8b949e; --failed: \
        #ff7b72;
            --line: #30363d; --soft: #161b22; --ink: #e6edf3; --paper: #0d1117; } }
        body { margin: 0; background: var(--paper); color: var(--ink); font: 14px/1.5 system-ui, sans-serif; }
        main { max-width: 75rem; margin: 0 auto; padding: 1.5rem; }
        h1 { font-size: 1.6rem; margin: 0 0 .5rem; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
        small { font-weight: normal; opacity: .75; } code, pre, .time { font-family: ui-monospace, monospace; \
        font-size: 12px; }
        .ok { color: var(--ok); } .nonstrict { color: var(--nonstrict); } .informational { color: \
        var(--informational); }
        .unimplemented { color: var(--unimplemented); } .failed { color: var(--failed); }
        .legend span { display: inline-block; min-width: 8.5rem; font-weight: 600; }
        table { border-collapse: collapse; } .grid th { text-align: left; padding: .2rem .8rem .2rem 0; white-space: \
        nowrap; }
        .grid td { padding: .2rem .8rem .2rem 0; vertical-align: top; } .grid td:nth-child(3) { min-width: 14rem; }
        .grid tr { border-top: 1px solid var(--line); vertical-align: top; }
        .cells a { display: inline-block; width: 1.15rem; height: 1.15rem; line-height: 1.15rem; margin: 1px; \
        text-align: center;
          text-decoration: none; border-radius: 3px; font-weight: 700; border: 1px solid currentColor; }
        .cells a.failed { background: var(--failed); color: var(--paper); }
        .worth { padding-left: 1.2rem; } .worth b { display: block; font-weight: 500; }
        details { border-top: 1px solid var(--line); padding: .3rem 0; } summary { cursor: pointer; }
        summary b { display: inline-block; min-width: 7.5rem; } details:target { background: var(--soft); }
        .category > summary { font-weight: 600; padding: .3rem 0; } .category > details { margin-left: 1.2rem; }
        dl { display: grid; grid-template-columns: 7.5rem 1fr; gap: .1rem 1rem; margin: .5rem 0 .5rem 1rem; }
        dt { opacity: .75; } dd { margin: 0; }
        .wire { margin: 0 0 1rem 1rem; width: calc(100% - 1rem); } .wire td { padding: .15rem .6rem .15rem 0; \
        vertical-align: top; }
        .wire tr { border-top: 1px dotted var(--line); } .time, .way { white-space: nowrap; opacity: .8; }
        .received .way { color: var(--informational); } .note td { font-style: italic; opacity: .8; }
        .frame { display: inline-flex; border: 1px solid var(--line); border-radius: 4px; overflow: hidden; \
        white-space: nowrap; }
        .frame span { padding: 0 .4rem; border-right: 1px solid var(--line); background: var(--soft); font-size: 12px; }
        .frame span:last-child { border-right: 0; } .frame em { font-style: normal; font-weight: 700; } .frame s { \
        opacity: .5; }
        .hex { opacity: .75; word-break: break-word; margin-right: 1rem; } pre { margin: 0; white-space: pre-wrap; \
        word-break: break-all; }
        @media (max-width: 44rem) {
          main { padding: 1rem; } .grid, .grid tbody, .grid tr, .grid td { display: block; } .grid tr { padding: .4rem \
        0; }
          .grid th { display: inline-block; white-space: normal; padding: 0 .5rem 0 0; } .grid td { padding: 0; }
          .wire { display: block; overflow-x: auto; } dl { grid-template-columns: 1fr; } dd { margin: 0 0 .3rem; }
          .category > details { margin-left: 0; } }
        """
}
