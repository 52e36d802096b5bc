"""The administration page: a person is added, sets a password by link, gets a role, is suspended; backup and checks."""

from __future__ import annotations

import re

import httpx
import pytest
from playwright.async_api import expect

from tests.browser.hall import Hall, People

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_an_administrator_adds_a_person_who_sets_a_password_and_is_suspended(house: Hall, people: People):
    otto = await people.come("Otto")
    page = otto.page
    await page.goto(f"{house.address}/admin")
    await page.get_by_role("button", name="Add a person").click()
    await page.get_by_role("textbox", name="Name").fill("Nora")
    await page.locator("dialog select").select_option("dealer")
    await page.get_by_role("button", name="Add", exact=True).click()
    link = await page.get_by_label("Link").input_value()
    await page.get_by_role("button", name="Close").click()
    await otto.clean()

    nora = await people.stranger()
    await nora.page.goto(link)
    await nora.page.get_by_label("Password").fill("a long walk by the river")
    await nora.page.get_by_role("button", name="Save and sign in").click()
    await expect(nora.page.locator(".who")).to_have_text("Nora, dealer")

    row = page.get_by_role("row", name=re.compile("^Nora"))
    await row.get_by_role("combobox").select_option("inspector")
    await expect(page.locator(".trail")).to_contain_text("Nora is now inspector (by Otto)")
    await row.get_by_role("button", name="Suspend").click()
    await page.get_by_label("Reason").fill("left the house")
    await page.locator("dialog").get_by_role("button", name="Suspend").click()
    await expect(row).to_contain_text("suspended")
    await expect(page.locator(".trail")).to_contain_text("Nora was suspended: left the house (by Otto)")

    await page.get_by_role("button", name="Back up now").click()
    await expect(page.get_by_role("button", name=re.compile("^Download pontoon-"))).to_have_count(1)
    await page.get_by_role("button", name="Verify the log").click()
    await expect(page.get_by_role("status")).to_contain_text("The log is as written")
    await page.get_by_role("button", name="Trial balance").click()
    await expect(page.get_by_role("status")).to_contain_text("Balanced")
    await otto.clean()


@pytest.mark.parametrize(("role", "start"), [("administrator", "/admin"), ("tournament_director", "/tables")])
async def test_a_link_leads_to_the_page_of_the_role(house: Hall, people: People, role: str, start: str):
    _, token = await house.official("Otto")
    made = await house.ask("/api/admin/accounts", {"name": f"New {role[:5]}", "role": role}, token)
    newcomer = await people.stranger()
    await newcomer.page.goto(f"{house.address}/floor#link={made['link']}")
    await newcomer.page.get_by_label("Password").fill("a long walk by the river")
    await newcomer.page.get_by_role("button", name="Save and sign in").click()
    await newcomer.page.wait_for_url(f"{house.address}{start}")
    await newcomer.clean()
    if role == "administrator":  # Otto is the last one in other tests
        path = f"/api/admin/accounts/{made['name']}/role"
        async with httpx.AsyncClient(base_url=house.address, headers={"Authorization": f"Bearer {token}"}) as web:
            assert (await web.put(path, json={"role": "player"})).is_success


async def test_the_last_administrator_keeps_the_role_and_an_inspector_only_looks(house: Hall, people: People):
    otto = await people.come("Otto")
    await otto.page.goto(f"{house.address}/admin")
    otto.forgiven.append("409")
    await otto.page.get_by_label("Role of Otto").select_option("player")
    await expect(otto.page.locator("#notice")).to_contain_text("Otto is the last administrator")
    await expect(otto.page.get_by_label("Role of Otto")).to_have_value("administrator")
    iris = await people.come("Iris")
    await iris.page.goto(f"{house.address}/admin")
    await expect(iris.page.get_by_label("Role of Otto")).to_be_disabled()
    await expect(iris.page.get_by_role("button", name="Add a person")).to_have_count(0)


async def test_the_house_policy_tables_and_wallets(house: Hall, people: People):
    otto = await people.come("Otto")
    page = otto.page
    await page.goto(f"{house.address}/admin/policy")
    await page.get_by_label("Lowest minimum").fill("5.00")
    await page.get_by_label("Opens").fill("12:00")
    otto.forgiven.append("400")
    await page.get_by_role("button", name="Put in force").click()
    await expect(page.get_by_role("alert")).to_contain_text("opens, closes: give both or neither")
    await page.get_by_label("Opens").fill("")
    await page.get_by_role("button", name="Put in force").click()
    await expect(page.locator("#notice")).to_have_text("The policy is in force.")
    await expect(page.locator(".policy-form")).to_contain_text("Last changed by Otto")
    await otto.clean()

    await page.goto(f"{house.address}/admin/tables")
    await page.get_by_role("button", name="Make a table").click()
    await page.get_by_label("Name").fill("Policy room")
    await page.get_by_label("Minimum").fill("2")
    otto.forgiven.append("403")
    await page.get_by_role("button", name="Make the table").click()
    await expect(page.locator("dialog .alarm")).to_contain_text("a lowest minimum of $5")
    await page.get_by_label("Minimum").fill("10")
    await page.get_by_role("button", name="Make the table").click()
    row = page.get_by_role("row", name=re.compile("^Policy room"))
    await expect(row).to_contain_text("$10 to $500")
    await row.get_by_role("button", name="Limits").click()
    await page.get_by_label("Minimum").fill("15")
    await page.get_by_role("button", name="Change").click()
    await expect(row).to_contain_text("$15 to $500")
    await row.get_by_role("button", name="Archive").click()
    await expect(row).to_contain_text("archived")
    await row.get_by_role("button", name="Close").click()
    await expect(row).to_contain_text("closed")
    await otto.clean()

    await page.goto(f"{house.address}/admin/wallets")
    await page.get_by_role("searchbox").fill("Otto")
    await expect(page.locator("tbody tr")).to_have_count(1)
    await page.get_by_role("button", name="Give chips").click()
    await page.get_by_label("Amount").fill("12.50")
    await page.get_by_role("button", name="Give", exact=True).click()
    await page.get_by_role("button", name="Postings of Otto").click()
    await expect(page.get_by_role("region", name="Postings of Otto").locator("tbody tr").first).to_contain_text(
        "+$12.50"
    )
    await otto.clean()
    await page.goto(f"{house.address}/admin/audit")
    await page.get_by_label("Show").select_option("House policy")
    await expect(page.locator(".trail li").first).to_contain_text("House policy changed: minimum (by Otto)")
    await page.goto(f"{house.address}/admin/policy")
    await page.get_by_label("Lowest minimum").fill("0")
    await page.get_by_role("button", name="Put in force").click()
    await expect(page.locator("#notice")).to_have_text("The policy is in force.")


WIDER = """[...document.querySelectorAll('.admin *')]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1).length"""
PARTS = ("", "people", "guests", "wallets", "tables", "rulebooks", "policy", "backups", "checks", "audit")


async def test_every_view_fits_a_phone_and_is_readable_in_dark_and_light(house: Hall, people: People):
    await house.table("canberra", name="A table with a rather long name")
    otto = await people.come("Otto", phone=True)
    page = otto.page
    await page.goto(f"{house.address}/admin")
    await page.get_by_role("button", name="Light or dark colours").click()
    for part in PARTS:
        await page.goto(f"{house.address}/admin/{part}".rstrip("/"))
        await expect(page.locator("html")).to_have_attribute("data-theme", "dark")
        await expect(page.locator(".admin .sheet").first).to_be_visible()
        await page.wait_for_load_state("networkidle")
        wide = (
            "[...document.querySelectorAll('.admin *')].some(one => one.getBoundingClientRect().right > innerWidth + 1)"
        )
        assert not await page.evaluate(wide), f"{part} is wider than the screen"
        await otto.clean()
