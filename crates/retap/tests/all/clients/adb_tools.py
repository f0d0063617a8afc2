"""Drives a phone with tools that know nothing of retap: python adb_tools.py SERVER_PORT SERIAL APK

adbutils and AndroidViewClient over plain adb commands, and what uiautomator2 does without its server. Fails loudly. The app
has a counter, a field and a list."""

import os
import sys
import xml.etree.ElementTree

PACKAGE = "dev.retap.fixture.conform"


def center(hierarchy, name):
    nodes = xml.etree.ElementTree.fromstring(hierarchy).iter("node")
    node = next(node for node in nodes if node.get("resource-id", "").endswith(":id/" + name))
    left, top, right, bottom = [int(part) for part in node.get("bounds").replace("][", ",").strip("[]").split(",")]
    return (left + right) // 2, (top + bottom) // 2


def text_of(hierarchy, name):
    nodes = xml.etree.ElementTree.fromstring(hierarchy).iter("node")
    return next(node.get("text") for node in nodes if node.get("resource-id", "").endswith(":id/" + name))


def drive_with_adbutils(port, serial, apk):
    import adbutils

    phone = adbutils.AdbClient(port=port).device(serial=serial)
    assert phone.get_state() == "device" and phone.prop.model == "retap"
    phone.install(apk, nolaunch=True, silent=True)
    assert PACKAGE in phone.list_packages() and phone.list_packages(["-3"]) == [PACKAGE]
    assert phone.app_info(PACKAGE).version_name
    phone.app_start(PACKAGE)
    assert phone.app_current().package == PACKAGE
    for _ in range(2):
        phone.click(*center(phone.dump_hierarchy(), "counter"))
    assert text_of(phone.dump_hierarchy(), "count") == "2"
    phone.click(*center(phone.dump_hierarchy(), "input"))
    phone.send_keys("two words")
    assert text_of(phone.dump_hierarchy(), "input") == "two words"
    width, height = phone.window_size()
    assert phone.screenshot().size == (width, height)
    phone.swipe(width // 2, height * 3 // 4, width // 2, height // 4, 0.3)
    phone.keyevent("BACK")
    phone.volume_up()
    assert phone.is_screen_on() and phone.rotation() == 0
    assert phone.brightness_value > 0 and phone.battery().level == 100
    told = phone.shell2("echo one; ls /nothing", v2=True)
    assert told.returncode == 1 and told.stdout == "one\n" and "No such file" in told.stderr, told
    assert phone.shell("echo $(getprop ro.build.version.sdk)") == phone.prop.get("ro.build.version.sdk")
    phone.sync.push(b"sent", "/sdcard/folder/file")
    assert phone.sync.read_text("/sdcard/folder/file") == "sent"
    assert phone.shell("ls /sdcard/fold*/*") == "/sdcard/folder/file"
    assert [entry.path for entry in phone.sync.iter_directory("/sdcard/folder")] == ["file"]
    phone.rmtree("/sdcard/folder")
    assert not phone.sync.exists("/sdcard/folder/file")
    try:
        phone.reverse("tcp:1", "tcp:2")
        raise AssertionError("a port was led to the computer")
    except adbutils.AdbError as error:
        assert "leads no port" in str(error), error
    phone.app_stop(PACKAGE)
    assert phone.app_current().package != PACKAGE
    phone.app_clear(PACKAGE)


def drive_with_view_client(port, serial):
    os.environ["ANDROID_ADB_SERVER_PORT"] = str(port)
    from com.dtmilano.android.viewclient import ViewClient

    phone, serial = ViewClient.connectToDeviceOrExit(serialno=serial)
    phone.startActivity(PACKAGE + "/.MainActivity")
    client = ViewClient(phone, serial, useuiautomatorhelper=False)
    client.findViewByIdOrRaise(PACKAGE + ":id/counter").touch()
    client.dump(window=-1)
    assert client.findViewByIdOrRaise(PACKAGE + ":id/count").getText() == "1"
    assert phone.getTopActivityName().startswith(PACKAGE)
    assert phone.getDisplayInfo()["width"] == 1080
    assert phone.isScreenOn()
    phone.press("BACK")


def drive_with_uiautomator2(serial):
    """Whatever it does needs its server, which is a program for Android's own runtime."""
    import uiautomator2

    try:
        uiautomator2.connect(serial)
        raise AssertionError("its server ran")
    except uiautomator2.exceptions.LaunchUiAutomationError as error:
        assert "app_process" in str(error), error


def main(port, serial, apk):
    drive_with_adbutils(int(port), serial, apk)
    drive_with_view_client(int(port), serial)
    drive_with_uiautomator2(serial)
    print("all went well")


main(*sys.argv[1:])
