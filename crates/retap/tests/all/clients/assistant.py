"""Drives `retap mcp` with the official Python client, as a coding assistant does: python assistant.py RETAP APP [ARG…]

Launches the fake app `notes`, looks, taps into a crash, minimises, replays and exports it. Fails loudly."""

import asyncio
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


def text(result):
    return "\n".join(part.text for part in result.content if part.type == "text")


async def main(program, arguments):
    server = StdioServerParameters(command=program, args=["mcp", *arguments, "--seed", "1", "-q"])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        tools = {tool.name for tool in (await session.list_tools()).tools}
        assert {"launch", "screen", "tap", "type", "save", "go", "explore", "crash", "export"} <= tools, tools

        async def call(tool, /, **values):
            result = await session.call_tool(tool, values)
            assert not getattr(result, "is_error", getattr(result, "isError", False)), (tool, text(result))
            return result

        async def number_of(words):
            lines = text(await call("screen")).splitlines()
            line = next(line for line in lines if words in line)
            return int(line.split()[0])

        refused = await session.call_tool("screen", {})
        assert "call `launch` first" in text(refused), text(refused)
        first = text(await call("launch"))
        assert "Launched dev.retap.demo.notes" in first, first
        outside = await session.call_tool("launch", {"apk": "/etc/passwd"})
        assert "was not named" in text(outside), text(outside)

        await call("save", name="home")
        await call("tap", widget=await number_of("New note"))
        crashed = text(await call("tap", widget=await number_of("Save")))
        assert "CRASH" in crashed, crashed
        crash = crashed.split("CRASH ")[1].split(".")[0]
        gone = await session.call_tool("tap", {"widget": 1})
        assert "gone" in text(gone) or "no widget" in text(gone), text(gone)

        found = text(await call("crash", id=crash))
        assert 'tap "New note"' in found and 'tap "Save"' in found, found
        back = text(await call("go", state="home"))
        assert "New note" in back, back
        replayed = text(await call("replay", trace=crash, runs=3))
        assert "in 3 of 3 runs" in replayed, replayed
        script = text(await call("export", trace=crash, format="maestro"))
        assert "launchApp" in script, script
        explored = text(await call("explore", events=300))
        assert "300 events" in explored or "events" in explored, explored
        assert crash in text(await call("crashes")), "the crash is listed"
        assert "home" in text(await call("states")), "the state is listed"
        unknown = await session.call_tool("tap", {"widget": 99})
        assert "no widget has the number 99" in text(unknown), text(unknown)
        longest = max([len(text(await call(tool))) for tool in ("screen", "crashes", "states")])
        print(f"{len(tools)} tools, longest answer {longest} letters")


asyncio.run(main(sys.argv[1], sys.argv[2:]))
